// What a scenario is, and how one is run in its own folder, against this project or a copy with a planted fault.
import { killLeftovers, petstore } from "../test/harness/process.ts";
import { temporaryFolder } from "../test/harness/temporary.ts";
import { makeCopy, type Variant } from "../test/harness/variant.ts";
import type { Target } from "./service.ts";

export interface Scenario {
	readonly name: string;
	/** What happens to the service. */
	readonly fault: string;
	/** Rounds or sockets: for `npm run faults`, for `npm run test:slow`, and to find a planted fault. */
	readonly size: {
		readonly record: number;
		readonly test: number;
		readonly planted?: number;
	};
	/** A planted fault may damage the database files. Then the service does not start, or accepts no more adds. */
	readonly mayDamageFiles?: true;
	/** Why it cannot run here, or undefined. */
	readonly skipReason?: () => string | undefined;
	readonly run: (options: ScenarioOptions) => Promise<Result>;
}

export interface ScenarioOptions extends Target {
	readonly size: number;
	/** Other programs use the processor too, so answers may take longer. */
	readonly isBusy: boolean;
}

export interface Result {
	/** Measurements, in words. */
	readonly figures: readonly string[];
	/** One sentence for each broken promise. */
	readonly wrong: readonly string[];
}

export async function runScenario(
	{ run }: Scenario,
	options: {
		readonly size: number;
		readonly planted?: Variant;
		readonly isBusy?: boolean;
	},
): Promise<Result> {
	const { size, planted, isBusy = false } = options;
	const folder = temporaryFolder();
	try {
		const program =
			planted === undefined ? petstore : makeCopy(planted, folder.path);
		return await run({ size, isBusy, program, folder: folder.path });
	} finally {
		killLeftovers();
		folder.remove();
	}
}

/** Runs the scenario with the planted fault. Returns the first finding, or undefined without any. */
export async function catchPlanted(
	scenario: Scenario,
	planted: Variant,
): Promise<string | undefined> {
	const size = scenario.size.planted ?? scenario.size.test;
	// The moments of a scenario are random, so a single run may miss the fault.
	for (let attempt = 0; attempt < maxAttempts; attempt++) {
		try {
			const { wrong } = await runScenario(scenario, { size, planted });
			if (wrong.length > 0) return wrong[0];
		} catch (error) {
			// What harness/ throws if a service cannot use its database files.
			const isDamage =
				/did not start|nothing is acknowledged|no answer|malformed/.test(
					String(error),
				);
			if (!isDamage || !scenario.mayDamageFiles) throw error;
			return String(error);
		}
	}
	return undefined;
}

const maxAttempts = 5;
