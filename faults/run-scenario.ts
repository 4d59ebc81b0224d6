// Runs one fault scenario in its own folder, against this project or a copy with a planted fault.
import { killLeftovers, petstore } from "../test/harness/process.ts";
import { temporaryFolder } from "../test/harness/temporary.ts";
import { makeCopy } from "../test/harness/variant.ts";
import {
	isClean,
	type ScenarioResult,
	toFindings,
} from "./injection/result.ts";
import { type Plant, plantList } from "./plants.ts";
import type { Scenario } from "./scenarios.ts";

export async function runScenario(
	{ run }: Scenario,
	options: {
		readonly rounds: number;
		readonly planted?: Plant;
		readonly maxAnswerMs?: number;
		readonly onRound?: (round: number) => void;
	},
): Promise<ScenarioResult> {
	const { planted, maxAnswerMs = promisedMs, onRound = () => {} } = options;
	const folder = temporaryFolder();
	try {
		const program =
			planted === undefined
				? petstore
				: makeCopy(planted, plantList, folder.path);
		return await run({
			rounds: options.rounds,
			maxAnswerMs,
			onRound,
			program,
			folder: folder.path,
		});
	} finally {
		killLeftovers();
		folder.remove();
	}
}

/** The promised answer time. */
const promisedMs = 3_000;

/** Runs the scenario with the planted fault. Returns the findings, or undefined without any. */
export async function catchPlanted(
	scenario: Scenario,
	planted: Plant,
): Promise<string | undefined> {
	// The moments of a scenario are random, so a single run may miss the fault.
	for (let attempt = 0; attempt < maxAttempts; attempt++) {
		const found = await runPlanted(scenario, planted);
		if (found !== undefined) return found;
	}
	return undefined;
}

const maxAttempts = 5;

async function runPlanted(
	scenario: Scenario,
	planted: Plant,
): Promise<string | undefined> {
	try {
		const rounds = scenario.rounds.test;
		const result = await runScenario(scenario, { rounds, planted });
		return isClean(result) ? undefined : toFindings(result);
	} catch (error) {
		const [, found] =
			damageErrors.find(([message]) => message.test(String(error))) ?? [];
		if (found === undefined || !scenario.mayDamageFiles) throw error;
		return found;
	}
}

/** Errors of harness/process.ts and harness/writers.ts if a service cannot use its database files. */
const damageErrors: readonly (readonly [RegExp, string])[] = [
	[/the service did not start/, "no start"],
	[/no further add was acknowledged/, "no recovery"],
];
