// Breaks and loads the service on purpose, counts what goes wrong and prints the figures.
// Usage: npm run faults [-- --scenario NAME --rounds N --controls]. N is the number of sockets of a scenario with slow clients.
// A scenario must first find its planted fault. With --controls, only that is done.
import { parseArgs } from "node:util";
import { killLeftovers } from "../test/harness/process.ts";
import { plants } from "./plants.ts";
import { catchPlanted, runScenario, type Scenario } from "./scenario.ts";
import { scenarios } from "./scenarios.ts";

const { values: flags } = parseArgs({
	options: {
		scenario: { type: "string" },
		rounds: { type: "string" },
		controls: { type: "boolean", default: false },
	},
});

process.on("exit", killLeftovers);
for (const signal of ["SIGINT", "SIGTERM"])
	process.on(signal, () => process.exit(1));

const chosen = scenarios.filter(
	({ name }) => flags.scenario === undefined || flags.scenario === name,
);
if (chosen.length === 0) {
	const names = scenarios.map(({ name }) => name).join(", ");
	console.error(`No scenario ${flags.scenario}. The scenarios are ${names}.`);
	process.exit(2);
}
for (const scenario of chosen) {
	const reason = scenario.skipReason?.();
	if (reason !== undefined) {
		console.log(`${scenario.name}: skipped, ${reason}`);
		continue;
	}
	await reportPlanted(scenario);
	if (!flags.controls) await report(scenario);
}
process.exit();

async function reportPlanted(scenario: Scenario): Promise<void> {
	for (const planted of plants) {
		if (!planted.caughtBy.includes(scenario.name)) continue;
		const found = await catchPlanted(scenario, planted);
		console.log(
			`${scenario.name}: planted "${planted.name}": ${found ?? "NOT FOUND"}`,
		);
		if (found === undefined) process.exitCode = 1;
	}
}

async function report(scenario: Scenario): Promise<void> {
	const size = Number(flags.rounds ?? scenario.size.record);
	const { figures, wrong } = await runScenario(scenario, { size });
	console.log(`${scenario.name}: ${figures.join("; ")}`);
	for (const sentence of wrong.slice(0, 10)) console.log(`  ${sentence}`);
	if (wrong.length > 0) process.exitCode = 1;
}
