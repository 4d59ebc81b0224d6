// Plants each fault in a copy of the project, and checks whether the conformance kit or any test catches it.
// Usage: npm run mutants [-- --only TEXT]
import { spawn } from "node:child_process";
import { once } from "node:events";
import { cpSync, mkdtempSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { parseArgs } from "node:util";
import { openShared } from "../../test/harness/postgres/server.ts";
import { root } from "../../test/harness/process.ts";
import { applyTo, type Variant } from "../../test/harness/variant.ts";
import { mutantList, mutants } from "./mutants.ts";
import { toLikelyTests } from "./tests.ts";

const { values: flags } = parseArgs({ options: { only: { type: "string" } } });
const chosen = mutants.filter(({ name }) => name.includes(flags.only ?? ""));
const folder = mkdtempSync(`${tmpdir()}/petstore-mutants-`);
const copy = `${folder}/petstore`;
cpSync(root, copy, {
	recursive: true,
	filter: (path) => !/\/(node_modules|\.git|data)$/.test(path),
});
symlinkSync(`${root}node_modules`, `${copy}/node_modules`);

/** Without a socket, because the kit checks only replies. */
const kit = ["test/v1/conformance.test.ts", "-t", "sqlite, in process"];
/** With the slow tests, and without those of the project, which check the text of the source. */
const suite = ["--path-ignore-patterns=test/project/**"];

const server = await openShared();
try {
	const rows = await findCatchers();
	if (rows.some(({ catcher }) => catcher === "nothing")) process.exitCode = 1;
} finally {
	await server.remove();
	rmSync(folder, { recursive: true });
}

interface Row {
	readonly fault: string;
	readonly catcher: "the kit" | "the suite" | "nothing";
}

/** The whole suite runs only for faults that neither the kit nor the likely tests catch. */
async function findCatchers(): Promise<Row[]> {
	await requireSound("the kit", kit);
	const likely = [...new Set(chosen.flatMap(toLikelyTests))];
	if (likely.length > 0) await requireSound("the suite", likely);
	const found = new Map<Variant, Row>();
	for (const mutant of chosen) {
		const row = await plant(mutant, tryQuickly);
		if (row !== undefined) found.set(mutant, row);
	}
	const others = chosen.filter((mutant) => !found.has(mutant));
	if (others.length > 0) await requireSound("the suite", suite);
	for (const mutant of others) found.set(mutant, await plant(mutant, tryAll));
	return chosen.flatMap((mutant) => found.get(mutant) ?? []);
}

async function requireSound(name: string, tests: readonly string[]) {
	const failed = await findFailed(tests);
	if (failed !== undefined)
		throw new Error(`${name} fails without any fault: ${failed}`);
}

async function tryQuickly(mutant: Variant): Promise<Row | undefined> {
	const inKit = await findFailed(kit);
	if (inKit !== undefined) return report(mutant, "the kit", inKit);
	const tests = toLikelyTests(mutant);
	const inTests = tests.length > 0 ? await findFailed(tests) : undefined;
	if (inTests !== undefined) return report(mutant, "the suite", inTests);
	return undefined;
}

async function tryAll(mutant: Variant): Promise<Row> {
	const failed = await findFailed(suite);
	return failed === undefined
		? report(mutant, "nothing", "")
		: report(mutant, "the suite", failed);
}

function report(
	{ name }: Variant,
	catcher: Row["catcher"],
	failed: string,
): Row {
	console.log(`${catcher.padEnd(10)} ${name}`);
	if (failed !== "") console.log(`           by: ${failed}`);
	return { fault: name, catcher };
}

/**
 * Returns the title of the first failed test, or undefined if all pass. The tests must fail in the first and in one of two more runs,
 * because a busy machine can make a test fail, and some faults show only at certain moments.
 */
async function findFailed(
	tests: readonly string[],
): Promise<string | undefined> {
	if ((await runTests(tests)) === undefined) return undefined;
	return (await runTests(tests)) ?? runTests(tests);
}

/** Runs tests in the copy as `npm test` does, up to the first failure, and returns its title. */
async function runTests(tests: readonly string[]): Promise<string | undefined> {
	const child = spawn(
		"node_modules/.bin/bun",
		["test/run.ts", "--bail=1", ...tests],
		{
			cwd: copy,
			env: { ...process.env, TEST_DATABASE_URL: server.url },
			stdio: ["ignore", "pipe", "pipe"],
		},
	);
	let output = "";
	for (const stream of [child.stdout, child.stderr])
		stream.setEncoding("utf8").on("data", (text) => {
			output += text;
		});
	const [status] = await once(child, "close");
	if (status === 0) return undefined;
	const title = /^\(fail\) (.*)$/m.exec(output)?.[1];
	// A module that does not load fails everywhere, which says nothing about the tests.
	if (title === undefined)
		throw new Error(`the tests fail, but no single one of them:\n${output}`);
	return title;
}

async function plant<Found>(
	mutant: Variant,
	look: (mutant: Variant) => Promise<Found>,
): Promise<Found> {
	const undo = applyTo(copy, mutant, mutantList);
	const found = await look(mutant);
	undo();
	return found;
}
