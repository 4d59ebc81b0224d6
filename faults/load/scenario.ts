// A load scenario loads or attacks a service without faults.
import type { Target } from "../target/target.ts";

export interface LoadScenario {
	readonly name: string;
	/** The load in a few words. */
	readonly load: string;
	readonly size: {
		readonly unit: "rounds" | "sockets" | "seconds";
		/** For `npm run faults`, and for `npm run test:slow`. */
		readonly record: number;
		readonly test: number;
	};
	/** Why it cannot run here, or undefined. */
	readonly skipReason?: () => string | undefined;
	readonly run: (options: LoadOptions) => Promise<LoadResult>;
}

export interface LoadOptions extends Target {
	/** In the unit of the scenario. */
	readonly size: number;
	/** The share of the peak rate, from 0 to 1, that an overloaded service must keep. On a busy machine, tests ask for less. */
	readonly minShare: number;
}

export interface LoadResult {
	/** The measurements, in words. */
	readonly figures: readonly string[];
	/** One sentence per broken promise. */
	readonly wrong: readonly string[];
}
