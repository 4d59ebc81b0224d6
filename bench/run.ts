// Measures the service, a bare server and two peers, and writes bench/RESULTS.md. Or compares this checkout with another one.
//
// Usage: npm run bench                        (about 30 minutes; --large adds a catalogue of 10,000,000 animals)
//        npm run bench -- --against COMMIT    (or the folder of a checkout with its packages installed)
//        --only TEXT: the trials with TEXT in their name. --pairs N: new processes of every server for each trial.
import { spawnSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { loadavg } from "node:os";
import { parseArgs } from "node:util";
import { cleanUpAtExit } from "../test/harness/clean-up.ts";
import { petstore, root } from "../test/harness/process.ts";
import { openCatalogues } from "./catalogues.ts";
import { build, checkOut } from "./checkout.ts";
import { bare, type Contender, installPeers, peers } from "./contenders.ts";
import { measureInTurn, type Result } from "./measure.ts";
import { describeRun, toComparison, toTables } from "./report.ts";
import { leaveServerCore } from "./server.ts";
import { toTrials } from "./trials.ts";

const { values: flags } = parseArgs({
	options: {
		against: { type: "string" },
		only: { type: "string", default: "" },
		pairs: { type: "string" },
		large: { type: "boolean", default: false },
	},
});
const pairs = Number(flags.pairs ?? (flags.against === undefined ? 5 : 10));
if (!Number.isInteger(pairs) || pairs < 1)
	stop("--pairs takes a whole number from 1 on.");
if (spawnSync("wrk", ["--version"]).error !== undefined)
	stop("The benchmark needs wrk: apt install wrk");

cleanUpAtExit();
leaveServerCore();
const service: Contender = {
	name: "this service",
	kind: "service",
	program: petstore,
};
const contenders: readonly Contender[] =
	flags.against === undefined
		? [service, bare, ...peers]
		: [await checkOut(flags.against), { ...service, name: "this checkout" }];
const catalogues = openCatalogues();
const asked = toTrials(service, catalogues, flags.large).filter(({ name }) =>
	name.includes(flags.only),
);
if (asked.length === 0) stop(`No trial has "${flags.only}" in its name.`);
build(root);
if (flags.against === undefined) installPeers();
const [load = 0] = loadavg();
if (load > 0.5)
	console.error(
		`The load of the machine is ${load.toFixed(1)}: the figures will not be reliable.`,
	);
const begun = new Date();
const results: Result[] = [];
for (const trial of asked) {
	const reason = trial.skipReason?.();
	if (reason === undefined)
		results.push(await measureInTurn(trial, contenders, pairs));
	else console.error(`${trial.name}: skipped, ${reason}`);
}
await catalogues.close();

const page = [
	describeRun(begun, contenders, pairs),
	flags.against === undefined
		? toTables(results, contenders)
		: toComparison(results, contenders),
].join("\n");
if (flags.against === undefined && flags.only === "") writeResults(page);
console.log(page);
process.exit();

/** What follows the tables is written by hand. */
function writeResults(tables: string): void {
	const file = `${root}bench/RESULTS.md`;
	const before = readFileSync(file, "utf8");
	const start = before.indexOf("\n## Comparison");
	writeFileSync(file, tables + (start < 0 ? "" : before.slice(start)));
}

function stop(problem: string): never {
	console.error(problem);
	process.exit(1);
}
