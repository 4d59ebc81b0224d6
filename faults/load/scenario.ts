// What a load scenario is. It loads or attacks a service in which nothing is broken.
import type { Target } from "../target/target.ts";

export interface LoadScenario {
	readonly name: string;
	/** The load in a few words. */
	readonly load: string;
	readonly size: {
		readonly unit: "rounds" | "sockets" | "seconds";
		/** For docs/reliability.md, and in `npm run test:slow`. */
		readonly record: number;
		readonly test: number;
	};
	/** Why it cannot run on this machine; undefined if it can. */
	readonly skipReason?: () => string | undefined;
	readonly run: (options: LoadOptions) => Promise<LoadResult>;
}

export interface LoadOptions extends Target {
	/** In the unit of the scenario. */
	readonly size: number;
	/** The share of the peak rate, from 0 to 1, that an overloaded service must keep. Tests on a busy machine ask for less. */
	readonly minShare: number;
}

export interface LoadResult {
	/** What was measured, in words. */
	readonly figures: readonly string[];
	/** One sentence per promise that was not kept. */
	readonly wrong: readonly string[];
}
