// What happens to the process, its disk and its database must not happen to the animals: each scenario at a small size. For the
// record sizes and docs/reliability.md: npm run faults
import { describe, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { perform, toCatch } from "../../faults/perform.ts";
import { plantList, plants } from "../../faults/plants.ts";
import { scenarios } from "../../faults/scenarios.ts";
import { strains } from "../../faults/strains.ts";
import { root } from "../../harness/process.ts";
import { withReplacement } from "../../harness/variant.ts";
import { mutantList, mutants } from "../../mutants/mutants.ts";

describe.each([...scenarios])("$name", (scenario) => {
	const reason = scenario.whyNot?.();
	const title = reason === undefined ? "" : ` (skipped: ${reason})`;

	test.skipIf(reason !== undefined)(
		`${scenario.breaks}: nothing lost, nothing doubled, no wrong answer${title}`,
		async () => {
			const { rounds } = scenario;
			const tally = await perform(scenario, { rounds: rounds.test });
			expect(tally).toMatchObject({ lost: 0, doubled: 0, wrong: [] });
			expect(tally.acknowledged).toBeGreaterThan(0);
		},
		60_000,
	);
});

describe.each([
	["faults/plants.ts", plants, plantList],
	["mutants/mutants.ts", mutants, mutantList],
])("%s", (_file, variants, list) => {
	test.each([...variants])("can be planted: $name", (planted) => {
		const original = readFileSync(root + planted.module, "utf8");
		const text = withReplacement(original, planted, list);
		const { exports, imports } = new Bun.Transpiler({ loader: "ts" }).scan(
			text,
		);
		expect(exports).toContain(planted.export);
		expect(imports.map(({ path }) => path)).toContain(root + list.file);
	});
});

describe("a planted fault is caught", () => {
	for (const planted of plants.filter(({ inTests }) => inTests)) {
		const { caughtBy, name: fault } = planted;
		const scenario = scenarios.find(({ name }) => name === caughtBy);
		const reason = scenario?.whyNot?.();
		test.skipIf(reason !== undefined)(
			`${caughtBy}: ${fault}`,
			async () => {
				if (scenario === undefined) throw new Error(`no ${caughtBy}`);
				expect(await toCatch(scenario, planted)).toBeDefined();
			},
			60_000,
		);
	}
});

describe("docs/reliability.md", () => {
	const text = readFileSync(`${root}docs/reliability.md`, "utf8");
	const lines = (table: string) =>
		(text.split(`<!-- ${table} -->\n`)[1]?.split("<!-- /")[0] ?? "")
			.trim()
			.split("\n")
			.slice(2)
			.map((line) => line.split(" | "));

	test("has a line for each scenario, with nothing lost, doubled or wrong", () => {
		const tallies = lines("tallies").map(([name, , , , ...rest]) => [
			name,
			...rest.slice(0, 3),
		]);
		expect(tallies.sort()).toEqual(
			scenarios.map(({ name }) => [`| \`${name}\``, "0", "0", "0"]).sort(),
		);
	});

	test("has a line for each strain, with nothing wrong", () => {
		const bearings = lines("bearings").map(([name, , , , wrong]) => [
			name,
			wrong,
		]);
		expect(bearings.sort()).toEqual(
			strains.map(({ name }) => [`| \`${name}\``, "0"]).sort(),
		);
	});

	test("has a line for each planted fault", () => {
		const catches = lines("catches").map(([name, fault]) => [name, fault]);
		expect(catches.sort()).toEqual(
			plants.map(({ caughtBy, name }) => [`| \`${caughtBy}\``, name]).sort(),
		);
	});
});
