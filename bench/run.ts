// Measures the service, what bounds it and what one would take instead, in one run, and writes bench/RESULTS.md.
// Usage: npm run bench [-- --quick | --full | --only TEXT]
import { readFileSync, writeFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { killLeftovers, root } from "../test/process.ts";
import { removeLeftovers } from "../test/temporary.ts";
import { toChart } from "./chart.ts";
import { loadTool } from "./load/load.ts";
import * as machine from "./machine.ts";
import { toPage } from "./page.ts";
import { installPeers } from "./peers.ts";
import { large, type Mode, paces, plans, usual } from "./plan.ts";
import type { Result } from "./results.ts";
import { describeGaps, measurePace, measureSection } from "./schedule.ts";
import { openShelf, type Shelf } from "./shelf.ts";
import { targets } from "./targets.ts";

const { values: flags } = parseArgs({
	options: {
		quick: { type: "boolean", default: false },
		full: { type: "boolean", default: false },
		only: { type: "string" },
	},
});
const mode: Mode = flags.full ? "full" : flags.quick ? "quick" : "default";

// Whatever happens, nothing is left running.
for (const signal of ["SIGINT", "SIGTERM"])
	process.on(signal, () => process.exit(1));
process.on("exit", () => {
	killLeftovers();
	removeLeftovers();
});

installPeers();
machine.leaveServerCore();
const sections = plans[mode].filter(({ title }) =>
	title.toLowerCase().includes(flags.only?.toLowerCase() ?? ""),
);
const shelf = openShelf();
const begun = new Date();
const busy = await machine.waitForQuiet();
const results: Result[] = [];
for (const section of sections)
	results.push(...(await measureSection(section, shelf)));
results.push(...(await measurePace(results, paces[mode], shelf)));
const page = toPage({
	results,
	sections,
	circumstances: describeCircumstances(),
	bytesPerAnimal: await measureSpace(shelf),
	chart: chart(),
});
await shelf.close();
publish();
process.exit();

function describeCircumstances(): string[] {
	const command = ["npm run bench", mode === "default" ? "" : `-- --${mode}`];
	const minutes = (Date.now() - begun.getTime()) / 60_000;
	return [
		`${begun.toISOString().slice(0, 10)}, \`${command.join(" ").trim()}\`, ${minutes.toFixed(0)} minutes.`,
		`${machine.describeMachine()}.`,
		`${machine.describeTools()}, load by ${loadTool}.`,
		busy < machine.quietShare
			? "The machine was idle before the start."
			: `The machine was not idle: ${machine.toPercent(busy)} of it was in use before the start.`,
		...describeGaps(),
		...targets.map(({ name, what }) => `*${name}*: ${what}.`),
	];
}

function chart(): string {
	const names = targets.map(({ name }) => name);
	const where = { animals: 1_000, connections: 32 };
	return toChart(results, ["list", "get", "add"], names, where);
}

async function measureSpace({ catalogues }: Shelf) {
	const animals = mode === "quick" ? usual : large;
	return {
		[`embedded, ${animals.toLocaleString("en")} animals`]:
			await catalogues.sqlite.bytesPerAnimal(animals),
		[`postgres, ${usual.toLocaleString("en")} animals`]:
			await catalogues.postgres.bytesPerAnimal(usual),
	};
}

/** A quick or partial run is only shown: what is published has all its parts. */
function publish(): void {
	if (mode === "quick" || flags.only !== undefined) {
		console.log(page);
		return;
	}
	writeFileSync(`${root}bench/RESULTS.md`, page);
	const readme = readFileSync(`${root}README.md`, "utf8");
	const quoted = `<!-- bench -->\n\n\`\`\`text\n${chart()}\n\`\`\`\n\n${machine.describeMachine()}; ${begun.toISOString().slice(0, 10)}.\n\n<!-- /bench -->`;
	writeFileSync(
		`${root}README.md`,
		readme.replace(/<!-- bench -->.*<!-- \/bench -->/s, () => quoted),
	);
	console.log("Written to bench/RESULTS.md and README.md.");
}
