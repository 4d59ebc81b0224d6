// One scenario from beginning to end, on this project or on a copy with a planted fault.
import { killLeftovers, petstore } from "../harness/process.ts";
import { temporaryFolder } from "../harness/temporary.ts";
import { makeCopy } from "../harness/variant.ts";
import { type Plant, plantList } from "./plants.ts";
import type { Scenario } from "./scenarios.ts";
import { isClean, type Tally, toFindings } from "./tally.ts";

export async function perform(
	{ run }: Scenario,
	options: {
		readonly rounds: number;
		readonly planted?: Plant;
		readonly onRound?: (round: number) => void;
	},
): Promise<Tally> {
	const { rounds, planted, onRound = () => {} } = options;
	const folder = temporaryFolder();
	try {
		const program =
			planted === undefined
				? petstore
				: makeCopy(planted, plantList, folder.path);
		return await run({ rounds, program, folder: folder.path, onRound });
	} finally {
		killLeftovers();
		folder.remove();
	}
}

/** As what the scenario catches the planted fault; undefined if it does not. */
export async function toCatch(
	scenario: Scenario,
	planted: Plant,
): Promise<string | undefined> {
	// Each time is a matter of chance.
	for (let time = 0; time < maxTimes; time++) {
		const caught = await tryOnce(scenario, planted);
		if (caught !== undefined) return caught;
	}
	return undefined;
}

const maxTimes = 5;

async function tryOnce(
	scenario: Scenario,
	planted: Plant,
): Promise<string | undefined> {
	try {
		const rounds = scenario.rounds.test;
		const tally = await perform(scenario, { rounds, planted });
		return isClean(tally) ? undefined : toFindings(tally);
	} catch (error) {
		const [, found] =
			ends.find(([message]) => message.test(String(error))) ?? [];
		if (found === undefined || !scenario.spoilsFiles) throw error;
		return found;
	}
}

/** How a service ends that cannot open or use its files. */
const ends: readonly (readonly [RegExp, string])[] = [
	[/the service did not start/, "no start"],
	[/no add was acknowledged any more/, "no recovery"],
];
