// Plants each fault in a copy of the project and sees whether the conformance kit catches it, or else any test.
// Usage: npm run mutants [-- --only TEXT]   (a run of all writes the table of docs/conformance.md)
import { spawnSync } from "node:child_process";
import {
	cpSync,
	mkdtempSync,
	readFileSync,
	rmSync,
	symlinkSync,
	writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { parseArgs } from "node:util";
import { root } from "../harness/process.ts";
import { applyTo, type Variant } from "../harness/variant.ts";
import { mutantList, mutants } from "./mutants.ts";

const { values: flags } = parseArgs({ options: { only: { type: "string" } } });
const chosen = mutants.filter(({ name }) => name.includes(flags.only ?? ""));
const copy = `${mkdtempSync(`${tmpdir()}/petstore-mutants-`)}/petstore`;
cpSync(root, copy, {
	recursive: true,
	filter: (path) => !/\/(node_modules|\.git|data)$/.test(path),
});
symlinkSync(`${root}node_modules`, `${copy}/node_modules`);

if (testsFail(kit)) throw new Error("the kit fails without any fault");
if (testsFail(suite)) throw new Error("the suite fails without any fault");
const rows = chosen.map((mutant) => {
	const catcher = plant(mutant, () =>
		testsFail(kit) ? "the kit" : testsFail(suite) ? "the suite" : "nothing",
	);
	console.log(`${catcher.padEnd(10)} ${mutant.name}`);
	return { fault: mutant.name, catcher };
});
rmSync(copy, { recursive: true });
if (flags.only === undefined) writeTable(rows);
if (rows.some(({ catcher }) => catcher === "nothing")) process.exitCode = 1;

/** Without a socket, which is enough for what a reply can show. */
function kit(): string[] {
	return ["test", "test/v1/conformance.test.ts", "-t", "sqlite, in process"];
}

/** Without the tests of the project itself, which look at the text of the source. */
function suite(): string[] {
	const ignored = "--path-ignore-patterns=test/project/**";
	return ["test", "--parallel=2", "--bail=1", ignored];
}

function testsFail(command: () => string[]): boolean {
	const { status, error } = spawnSync("node_modules/.bin/bun", command(), {
		cwd: copy,
		stdio: "ignore",
		timeout: 900_000,
	});
	if (error !== undefined) throw error;
	return status !== 0;
}

function plant<Found>(mutant: Variant, look: () => Found): Found {
	const undo = applyTo(copy, mutant, mutantList);
	const found = look();
	undo();
	return found;
}

function writeTable(rows: readonly { fault: string; catcher: string }[]): void {
	const path = `${root}docs/conformance.md`;
	const table = rows.map(({ fault, catcher }) => `| ${fault} | ${catcher} |`);
	const text = readFileSync(path, "utf8").replace(
		/(\| Planted fault \| Caught by \|\n\|---\|---\|\n)(\|.*\n)*/,
		(_, head) => `${head}${table.join("\n")}\n`,
	);
	writeFileSync(path, text);
}
