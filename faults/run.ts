// Breaks the service on purpose and counts; the figures go into docs/reliability.md.
// Usage: npm run faults [-- --scenario NAME --rounds N --controls]
// Each scenario first has to catch what is planted for it; with --controls, that is all.
import { parseArgs } from "node:util";
import { perform, toCatch } from "./perform.ts";
import { plants } from "./plants.ts";
import { writeCatch, writeTally } from "./report.ts";
import { type Scenario, scenarios } from "./scenarios.ts";
import { isClean, type Tally, toFindings, toRecovery } from "./tally.ts";

const { values: flags } = parseArgs({
	options: {
		scenario: { type: "string" },
		rounds: { type: "string" },
		controls: { type: "boolean", default: false },
	},
});

for (const signal of ["SIGINT", "SIGTERM"])
	process.on(signal, () => process.exit(1));

for (const scenario of chosen(flags.scenario)) {
	const reason = scenario.whyNot?.();
	if (reason !== undefined) {
		console.log(`${scenario.name}: skipped, ${reason}`);
		continue;
	}
	await catchPlanted(scenario);
	if (!flags.controls)
		await count(scenario, Number(flags.rounds ?? scenario.rounds.record));
}
process.exit();

function chosen(name: string | undefined): readonly Scenario[] {
	const found = scenarios.filter(
		(one) => name === undefined || one.name === name,
	);
	if (found.length > 0) return found;
	console.error(
		`There is no scenario ${name}; there are ${scenarios.map((one) => one.name).join(", ")}.`,
	);
	process.exit(2);
}

async function catchPlanted(scenario: Scenario): Promise<void> {
	for (const planted of plants) {
		if (planted.caughtBy !== scenario.name) continue;
		const caught = await toCatch(scenario, planted);
		console.log(
			`${scenario.name}: planted "${planted.fault}": ${caught ?? "NOT CAUGHT"}`,
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
