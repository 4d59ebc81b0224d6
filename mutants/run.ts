// Plants each fault in a copy of the project and sees whether the conformance kit catches it, or else any test.
// Usage: npm run mutants   (writes the table of docs/conformance.md)
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
import { fileURLToPath } from "node:url";
import { type Fault, plantIn } from "../faults/plant.ts";
import { mutants } from "./mutants.ts";

const root = fileURLToPath(new URL("..", import.meta.url));
const copy = `${mkdtempSync(`${tmpdir()}/petstore-mutants-`)}/petstore`;
cpSync(root, copy, {
	recursive: true,
	filter: (path) => !/\/(node_modules|\.git|data)$/.test(path),
});
symlinkSync(`${root}node_modules`, `${copy}/node_modules`);

if (testsFail(kit)) throw new Error("the kit fails without any fault");
if (testsFail(suite)) throw new Error("the suite fails without any fault");
const rows = mutants.map((mutant) => {
	const catcher = plant(mutant, () =>
		testsFail(kit) ? "the kit" : testsFail(suite) ? "the suite" : "nobody",
	);
	console.log(`${catcher.padEnd(10)} ${mutant.fault}`);
	return { fault: mutant.fault, catcher };
});
rmSync(copy, { recursive: true });
writeTable(rows);
if (rows.some(({ catcher }) => catcher === "nobody")) process.exitCode = 1;

/** Without a socket, which is enough for what a reply can show. */
function kit(): string[] {
	return ["test", "test/v1/conformance.test.ts", "-t", "sqlite, in process"];
}

/** Without what looks at documents, or plants faults itself and so misses the text that has become another. */
function suite(): string[] {
	const ignored = ["documents", "faults"].map(
		(name) => `--path-ignore-patterns=test/${name}.test.ts`,
	);
	return ["test", "--bail=1", ...ignored];
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

function plant<Found>(mutant: Fault, look: () => Found): Found {
	const path = `${copy}/${mutant.file}`;
	const original = readFileSync(path, "utf8");
	plantIn(copy, mutant);
	const found = look();
	writeFileSync(path, original);
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
