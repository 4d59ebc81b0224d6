// Runs the conformance cases of the interface document against other servers, prints what failed and why, and writes the table of
// docs/conformance.md. It writes nothing and fails if a failure has no cause, or a cause has no failure.
//
// Usage: npm run peers [-- --only NAME]   (with --only it writes nothing)
import { readFileSync, writeFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { installPackages } from "../bench/peers/install.ts";
import { toDay } from "../bench/report/circumstances.ts";
import { cleanUpAtExit } from "../harness/clean-up.ts";
import { root } from "../harness/process.ts";
import { judge } from "./judge.ts";
import { folders, type Peer, peers } from "./peers.ts";
import { runPeer } from "./run-peer.ts";
import { type Row, withTable } from "./table.ts";

const { values: flags } = parseArgs({ options: { only: { type: "string" } } });
const chosen = peers.filter(
	({ name }) => flags.only === undefined || name === flags.only,
);
if (chosen.length === 0) {
	const names = peers.map(({ name }) => name).join(", ");
	console.error(`There is no server ${flags.only}. The servers are ${names}.`);
	process.exit(2);
}

cleanUpAtExit();

for (const folder of folders) installPackages(folder);
const rows: Row[] = [];
for (const peer of chosen) rows.push(await runAndPrint(peer));
if (rows.some(({ verdict }) => verdict.problems.length > 0)) {
	console.error("Nothing was written: correct the causes in peers/causes.ts.");
	process.exit(1);
}
if (flags.only === undefined) writeTable();
process.exit();

async function runAndPrint(peer: Peer): Promise<Row> {
	const verdict = judge(await runPeer(peer), peer.causes);
	console.log(
		`${peer.name}: ${verdict.passed} passed, ${verdict.failed} failed`,
	);
	for (const failure of verdict.failures) console.log(`  ${failure}`);
	for (const problem of verdict.problems)
		console.error(`${peer.name}: ${problem}`);
	return { peer, verdict };
}

function writeTable(): void {
	const path = `${root}docs/conformance.md`;
	const document = readFileSync(path, "utf8");
	writeFileSync(path, withTable(document, rows, toDay(new Date())));
	console.log("Written to docs/conformance.md.");
}
