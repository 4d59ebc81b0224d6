// Breaks and loads the service on purpose, counts what goes wrong and prints the figures.
// Usage: npm run faults [-- --scenario NAME --rounds N --controls], or --size N for a load scenario
// Each fault scenario must first catch its planted faults. With --controls, only that is done.
import { parseArgs } from "node:util";
import { killLeftovers } from "../test/harness/process.ts";
import {
	isClean,
	type ScenarioResult,
	toFindings,
	toRecovery,
} from "./injection/result.ts";
import { runLoadScenario } from "./load/run.ts";
import type { LoadScenario } from "./load/scenario.ts";
import { loadScenarios } from "./load/scenarios.ts";
import { plants } from "./plants.ts";
import { catchPlanted, runScenario } from "./run-scenario.ts";
import { type Scenario, scenarios } from "./scenarios.ts";

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
	const reason = scenario.skipReason?.();
	if (reason !== undefined) {
		console.log(`${scenario.name}: skipped, ${reason}`);
		continue;
	}
	await reportPlanted(scenario);
	if (!flags.controls)
		await reportScenario(
			scenario,
			Number(flags.rounds ?? scenario.rounds.record),
		);
}
if (!flags.controls)
	for (const scenario of loadScenarios.filter(isChosen))
		await reportLoadScenario(scenario);
process.exit();

function requireKnown(name: string | undefined): void {
	const names = [...scenarios, ...loadScenarios].map((one) => one.name);
	if (name === undefined || names.includes(name)) return;
	console.error(
		`There is no scenario ${name}. The scenarios are ${names.join(", ")}.`,
	);
	process.exit(2);
}

async function reportPlanted(scenario: Scenario): Promise<void> {
	for (const planted of plants) {
		if (planted.caughtBy !== scenario.name) continue;
		const found = await catchPlanted(scenario, planted);
		console.log(
			`${scenario.name}: planted "${planted.name}": ${found ?? "NOT CAUGHT"}`,
		);
		if (found === undefined) process.exitCode = 1;
	}
}

async function reportScenario(
	scenario: Scenario,
	rounds: number,
): Promise<void> {
	const result = await runScenario(scenario, {
		rounds,
		onRound(round) {
			if (round % Math.ceil(rounds / 10) === 0)
				console.log(`${scenario.name}: ${round} of ${rounds} rounds`);
		},
	});
	print(scenario, result);
	if (!isClean(result)) process.exitCode = 1;
}

function print({ name }: Scenario, result: ScenarioResult): void {
	console.log(
		`${name}: ${result.acknowledged} acknowledged, ${toFindings(result)} found, recovery ${toRecovery(result)}`,
	);
	for (const sentence of result.wrong.slice(0, 10))
		console.log(`  ${sentence}`);
}

async function reportLoadScenario(scenario: LoadScenario): Promise<void> {
	const reason = scenario.skipReason?.();
	if (reason !== undefined)
		return console.log(`${scenario.name}: skipped, ${reason}`);
	const size = Number(flags.size ?? scenario.size.record);
	const result = await runLoadScenario(scenario, { size, minShare: 0.9 });
	console.log(`${scenario.name}: ${result.figures.join("; ")}`);
	for (const sentence of result.wrong) console.log(`  ${sentence}`);
	if (result.wrong.length > 0) process.exitCode = 1;
}
