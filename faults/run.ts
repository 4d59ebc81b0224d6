// Breaks the service on purpose and counts; the figures go into docs/reliability.md.
// Usage: npm run faults [-- --scenario NAME --rounds N --controls], or --size N for a strain
// Each scenario first has to catch what is planted for it; with --controls, that is all.
import { parseArgs } from "node:util";
import { killLeftovers } from "../harness/process.ts";
import { bear } from "./bear.ts";
import { perform, toCatch } from "./perform.ts";
import { plants } from "./plants.ts";
import { writeBearing, writeCatch, writeTally } from "./report.ts";
import { type Scenario, scenarios } from "./scenarios.ts";
import type { Strain } from "./strain.ts";
import { strains } from "./strains.ts";
import { isClean, type Tally, toFindings, toRecovery } from "./tally.ts";

const { values: flags } = parseArgs({
	options: {
		scenario: { type: "string" },
		rounds: { type: "string" },
		size: { type: "string" },
		controls: { type: "boolean", default: false },
	},
});

process.on("exit", killLeftovers);
for (const signal of ["SIGINT", "SIGTERM"])
	process.on(signal, () => process.exit(1));

const isChosen = ({ name }: { readonly name: string }) =>
	flags.scenario === undefined || flags.scenario === name;
requireKnown(flags.scenario);

for (const scenario of scenarios.filter(isChosen)) {
	const reason = scenario.whyNot?.();
	if (reason !== undefined) {
		console.log(`${scenario.name}: skipped, ${reason}`);
		continue;
	}
	await catchPlanted(scenario);
	if (!flags.controls)
		await count(scenario, Number(flags.rounds ?? scenario.rounds.record));
}
if (!flags.controls)
	for (const strain of strains.filter(isChosen)) await measure(strain);
process.exit();

function requireKnown(name: string | undefined): void {
	const names = [...scenarios, ...strains].map((one) => one.name);
	if (name === undefined || names.includes(name)) return;
	console.error(`There is no scenario ${name}; there are ${names.join(", ")}.`);
	process.exit(2);
}

async function measure(strain: Strain): Promise<void> {
	const reason = strain.whyNot?.();
	if (reason !== undefined)
		return console.log(`${strain.name}: skipped, ${reason}`);
	const size = Number(flags.size ?? strain.size.record);
	const { figures, wrong } = await bear(strain, { size, leastShare: 0.9 });
	console.log(`${strain.name}: ${figures.join("; ")}`);
	for (const sentence of wrong) console.log(`  ${sentence}`);
	writeBearing(strain, size, { figures, wrong });
	if (wrong.length > 0) process.exitCode = 1;
}

async function catchPlanted(scenario: Scenario): Promise<void> {
	for (const planted of plants) {
		if (planted.caughtBy !== scenario.name) continue;
		const caught = await toCatch(scenario, planted);
		console.log(
			`${scenario.name}: planted "${planted.name}": ${caught ?? "NOT CAUGHT"}`,
		);
		if (caught === undefined) process.exitCode = 1;
		else writeCatch(planted, caught);
	}
}

async function count(scenario: Scenario, rounds: number): Promise<void> {
	const tally = await perform(scenario, {
		rounds,
		onRound(round) {
			if (round % Math.ceil(rounds / 10) === 0)
				console.log(`${scenario.name}: ${round} of ${rounds} rounds`);
		},
	});
	print(scenario, tally);
	writeTally(scenario, tally);
	if (!isClean(tally)) process.exitCode = 1;
}

function print({ name }: Scenario, tally: Tally): void {
	console.log(
		`${name}: ${tally.acknowledged} acknowledged, ${toFindings(tally)} found, recovery ${toRecovery(tally)}`,
	);
	for (const sentence of tally.wrong.slice(0, 10)) console.log(`  ${sentence}`);
}
