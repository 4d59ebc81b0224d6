// The planted faults, and the tables of docs/reliability.md. faults.slow.test.ts runs the scenarios.
import { describe, expect, test } from "bun:test";
import { existsSync, readFileSync } from "node:fs";
import { loadScenarios } from "../../faults/load/scenarios.ts";
import { plantList, plants } from "../../faults/plants.ts";
import { scenarios } from "../../faults/scenarios.ts";
import { root } from "../../harness/process.ts";
import { withReplacement } from "../../harness/variant.ts";
import { mutantList, mutants } from "../../mutants/mutants.ts";
import { likelyTests } from "../../mutants/tests.ts";

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

test("mutants/tests.ts lists modules with planted faults, and existing tests", () => {
	const modules = new Set(mutants.map(({ module }) => module));
	for (const [module, tests] of Object.entries(likelyTests)) {
		expect(modules).toContain(module);
		for (const path of tests)
			expect([path, existsSync(root + path)]).toEqual([path, true]);
	}
});

test("docs/conformance.md has a row for each mutant, which the kit or the suite catches", () => {
	const [, table = ""] = readFileSync(
		`${root}docs/conformance.md`,
		"utf8",
	).split("| Planted fault | Caught by |\n|---|---|\n");
	const rows = [...table.matchAll(/^\| (.*) \| (the kit|the suite) \|$/gm)];
	expect(rows.map(([, fault]) => fault)).toEqual(
		mutants.map(({ name }) => name),
	);
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
