// Measures the service, what bounds it and what one would take instead, in one run, and writes bench/RESULTS.md. Or compares
// versions of the service with each other, by processor time, and prints that.
// Usage: npm run bench [-- --quick | --full | --only TEXT]
//        npm run bench -- --against FOLDER [--engine postgres]   (another checkout of the project, with its packages installed)
//        npm run bench -- --tricks                               (what each optimisation gives)
//        both also with --rounds N, --turns N and --only REQUEST
import { readFileSync, writeFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { killLeftovers, root } from "../harness/process.ts";
import { removeLeftovers } from "../harness/temporary.ts";
import { toChart } from "./chart.ts";
import { describeCircumstances, toDay } from "./circumstances.ts";
import { runComparison } from "./compare/run.ts";
import {
	describeMachine,
	leaveServerCore,
	quietShare,
	waitForQuiet,
} from "./machine.ts";
import { quote, toPage } from "./page.ts";
import { installPeers } from "./peers.ts";
import { type Mode, paces, peers, plans } from "./plan.ts";
import type { Result } from "./results.ts";
import { measurePace, measureSection } from "./schedule.ts";
import { openShelf } from "./shelf.ts";

const { values: flags } = parseArgs({
	options: {
		quick: { type: "boolean", default: false },
		full: { type: "boolean", default: false },
		only: { type: "string" },
		against: { type: "string" },
		tricks: { type: "boolean", default: false },
		engine: { type: "string", default: "sqlite" },
		rounds: { type: "string", default: "8" },
		turns: { type: "string", default: "3" },
	},
});
const mode: Mode = flags.full ? "full" : flags.quick ? "quick" : "default";
const sections = plans[mode].filter(({ title }) =>
	title.toLowerCase().includes(flags.only?.toLowerCase() ?? ""),
);

// Whatever happens, nothing is left running.
for (const signal of ["SIGINT", "SIGTERM"])
	process.on(signal, () => process.exit(1));
process.on("exit", () => {
	killLeftovers();
	removeLeftovers();
});

leaveServerCore();
if (flags.against !== undefined || flags.tricks) {
	await runComparison(flags);
	process.exit();
}
installPeers();
const begun = new Date();
const shelf = openShelf();
const results: Result[] = [];
if ((await waitForQuiet(1_000, 60)) >= quietShare)
	console.error("The machine is busy, and stays so: these figures will lie.");
for (const section of sections)
	results.push(...(await measureSection(section, shelf)));
results.push(...(await measurePace(results, paces[mode], shelf)));
const space = await shelf.measureSpace(sections);
await shelf.close();

const command = `npm run bench${mode === "default" ? "" : ` -- --${mode}`}`;
const circumstances = describeCircumstances(command, begun, results);
const chart = toChart(results, peers);
const page = toPage({ results, sections, circumstances, space, chart });
// A quick or partial run is only shown: what is published has all its parts.
if (mode === "quick" || flags.only !== undefined) console.log(page);
else publish();
process.exit();

function publish(): void {
	const readme = readFileSync(`${root}README.md`, "utf8");
	const source = `Measured on ${toDay(begun)}: ${describeMachine()}.`;
	writeFileSync(`${root}README.md`, quote(readme, chart, source));
	writeFileSync(`${root}bench/RESULTS.md`, page);
	console.log("Written to bench/RESULTS.md and README.md.");
}
