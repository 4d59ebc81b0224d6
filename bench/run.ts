// Measures the service, the limits of the machine and alternatives to the service in one run, and writes bench/RESULTS.md and the
// chart in README.md. Or compares versions of the service with each other by processor time, and prints a table.
//
// Usage: npm run bench [-- [--quick | --full] [--only TEXT]]     (--only: the sections with TEXT in their title)
//        npm run bench -- --against VERSION [--engine postgres]  (a commit, or the folder of a checkout with its packages installed)
//        npm run bench -- --tricks                               (what each optimisation saves)
//        The two comparisons also take --rounds N, --turns N and --only NAMES. NAMES are separated by commas: requests, or
//        optimisations with --tricks.
//
// plan/ has the sections, targets and trials as data; bounds/ and peers/ have the servers to compare with; catalogues/ has the animals.
// load/ sends the requests, machine/ knows cores and processor time, files/ measures imports and exports. measure/ uses all of these and
// returns results, report/ writes them with the goals. compare/ compares versions.
import { readFileSync, writeFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { cleanUpAtExit } from "../test/harness/clean-up.ts";
import { root } from "../test/harness/process.ts";
import {
	compareWith,
	findKeptObstacle,
	keptCommit,
	runComparison,
} from "./compare/run.ts";
import { filesTitle, measureFiles } from "./files/measure.ts";
import { leaveServerCore } from "./machine/cores.ts";
import { quietShare, waitForQuiet } from "./machine/processor-time.ts";
import { openDatasets } from "./measure/datasets.ts";
import type { Result } from "./measure/results.ts";
import { findObstacles, measureSection } from "./measure/schedule.ts";
import { measureSteadyRates } from "./measure/steady-rates.ts";
import { installPackages, peersFolder } from "./peers/install.ts";
import {
	filePlans,
	keptPlans,
	keptTitle,
	type Mode,
	peers,
	plans,
	steadyRatePlans,
} from "./plan/sections.ts";
import { toChart } from "./report/chart.ts";
import {
	describeCircumstances,
	describeMachine,
	toDay,
} from "./report/circumstances.ts";
import { quote, toPage } from "./report/page.ts";

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
const isAsked = (title: string) =>
	title.toLowerCase().includes(flags.only?.toLowerCase() ?? "");
const sections = plans[mode].filter(({ title }) => isAsked(title));

cleanUpAtExit();

leaveServerCore();
if (flags.against !== undefined || flags.tricks) {
	await runComparison(flags);
	process.exit();
}
if (sections.length > 0) installPackages(peersFolder);
const keptObstacle = findKeptObstacle();
const obstacles = [
	...findObstacles(sections),
	...(keptObstacle ? [keptObstacle] : []),
];
for (const obstacle of obstacles) console.error(obstacle);
const begun = new Date();
const datasets = openDatasets();
const results: Result[] = [];
if ((await waitForQuiet(1_000, 60)) >= quietShare)
	console.error(
		"The machine is still busy after a minute. The figures will not be reliable.",
	);
for (const section of sections)
	results.push(...(await measureSection(section, datasets)));
results.push(
	...(await measureSteadyRates(results, steadyRatePlans[mode], datasets)),
);
const files = isAsked(filesTitle) ? await measureFiles(filePlans[mode]) : [];
const kept =
	isAsked(keptTitle) && keptObstacle === undefined
		? await compareWith(keptCommit, {
				...keptPlans[mode],
				engine: "sqlite",
				requests: undefined,
			})
		: "";
const diskSpace = await datasets.measureDiskSpace(sections);
await datasets.close();

const command = `npm run bench${mode === "default" ? "" : ` -- --${mode}`}`;
const circumstances = describeCircumstances(command, begun, results, obstacles);
const chart = toChart(results, peers);
const page = toPage({
	results,
	sections,
	files,
	kept,
	circumstances,
	diskSpace,
	chart,
});
// A quick or partial run is only printed. RESULTS.md always has the figures of a complete run.
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
