// No fault of the process, its disk or its database may lose or double an animal. Each scenario runs at a small size here, and
// at full size with `npm run faults`, which writes docs/reliability.md.
import { describe, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { loadScenarios } from "../../faults/load/scenarios.ts";
import { plantList, plants } from "../../faults/plants.ts";
import { catchPlanted, runScenario } from "../../faults/run-scenario.ts";
import { scenarios } from "../../faults/scenarios.ts";
import { root } from "../../harness/process.ts";
import { withReplacement } from "../../harness/variant.ts";
import { mutantList, mutants } from "../../mutants/mutants.ts";

describe.each([...scenarios])("$name", (scenario) => {
	const reason = scenario.skipReason?.();
	const title = reason === undefined ? "" : ` (skipped: ${reason})`;

	test.skipIf(reason !== undefined)(
		`${scenario.fault}: nothing lost, nothing doubled, no wrong answer${title}`,
		async () => {
			const { rounds } = scenario;
			const result = await runScenario(scenario, { rounds: rounds.test });
			expect(result).toMatchObject({ lost: 0, doubled: 0, wrong: [] });
			expect(result.acknowledged).toBeGreaterThan(0);
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
		const reason = scenario?.skipReason?.();
		test.skipIf(reason !== undefined)(
			`${caughtBy}: ${fault}`,
			async () => {
				if (scenario === undefined) throw new Error(`no scenario ${caughtBy}`);
				expect(await catchPlanted(scenario, planted)).toBeDefined();
			},
			60_000,
		);
	}
});

describe("docs/reliability.md", () => {
	const text = readFileSync(`${root}docs/reliability.md`, "utf8");
	const rowsOf = (table: string) =>
		(text.split(`<!-- ${table} -->\n`)[1]?.split("<!-- /")[0] ?? "")
			.trim()
			.split("\n")
			.slice(2)
			.map((row) => row.split(" | "));

	test("has a row for each fault scenario, with nothing lost, doubled or wrong", () => {
		const rows = rowsOf("fault scenarios").map(([name, , , , ...rest]) => [
			name,
			...rest.slice(0, 3),
		]);
		expect(rows.sort()).toEqual(
			scenarios.map(({ name }) => [`| \`${name}\``, "0", "0", "0"]).sort(),
		);
	});

	test("has a row for each load scenario, with nothing wrong", () => {
		const rows = rowsOf("load scenarios").map(([name, , , , wrong]) => [
			name,
			wrong,
		]);
		expect(rows.sort()).toEqual(
			loadScenarios.map(({ name }) => [`| \`${name}\``, "0"]).sort(),
		);
	});

	test("has a row for each planted fault", () => {
		const rows = rowsOf("planted faults").map(([name, fault]) => [name, fault]);
		expect(rows.sort()).toEqual(
			plants.map(({ caughtBy, name }) => [`| \`${caughtBy}\``, name]).sort(),
		);
	});
});
