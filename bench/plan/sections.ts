// The plan of a run, as data: its sections, each with the targets that are measured and the trials that they are measured on.
import { type TargetName, targets } from "./targets.ts";
import { type TrialName, trials } from "./trials.ts";

export interface Section {
	readonly title: string;
	readonly targets: readonly TargetName[];
	readonly trials: readonly TrialName[];
	readonly animals: readonly number[];
	readonly connections: readonly number[];
	/** How many times each target is started as a new process. */
	readonly rounds: number;
	readonly warmUpSeconds: number;
	/** Turns in each round. In a turn every target is loaded for one second, one target after the other. */
	readonly turns: number;
}

export type Mode = "quick" | "default" | "full";

export const small = 1_000;
export const usual = 100_000;
export const large = 10_000_000;
export const usualConnections = 32;
const three: readonly TrialName[] = ["list", "get", "add"];
const all = trials.map(({ name }) => name);

export const bounds: Section = {
	title: "Against what the machine can do",
	targets: ["embedded", "postgres", "ceiling", "nginx"],
	trials: three,
	animals: [usual],
	connections: [usualConnections],
	rounds: 3,
	warmUpSeconds: 3,
	turns: 5,
};

export const peers: Section = {
	title: "Against alternatives",
	targets: targets
		.map(({ name }) => name)
		.filter((name) => name !== "postgres" && name !== "nginx"),
	trials: three,
	animals: [small],
	connections: [usualConnections],
	rounds: 2,
	warmUpSeconds: 2,
	turns: 3,
};

export const growth: Section = {
	title: "As the catalogue grows",
	targets: ["embedded"],
	trials: all,
	animals: [small, usual, large],
	connections: [usualConnections],
	rounds: 2,
	warmUpSeconds: 2,
	turns: 3,
};

const matrix: Section = {
	title: "Every trial at every size",
	targets: ["embedded", "postgres"],
	trials: all,
	animals: [small, usual, large],
	connections: [1, 32, 64, 256],
	rounds: 2,
	warmUpSeconds: 2,
	turns: 3,
};

/** A quick run shows that everything works. It is too short for reliable figures. */
const quick = { rounds: 1, warmUpSeconds: 1, turns: 1 };

export const plans: Readonly<Record<Mode, readonly Section[]>> = {
	quick: [
		{ ...bounds, ...quick },
		{ ...peers, ...quick },
		{ ...growth, ...quick, trials: ["list"], animals: [small, usual] },
	],
	default: [bounds, peers, growth],
	full: [bounds, peers, growth, matrix],
};

export const steadyRateTitle = "At a steady rate";

/** How many times each trial at a steady rate is run, and for how long. */
export interface SteadyRatePlan {
	readonly rounds: number;
	readonly seconds: number;
}

/** How many animals the files have, and how often each trial with files is run. */
export const filePlans: Readonly<
	Record<Mode, { readonly animals: number; readonly rounds: number }>
> = {
	quick: { animals: usual, rounds: 1 },
	default: { animals: 1_000_000, rounds: 3 },
	full: { animals: 1_000_000, rounds: 5 },
};

export const steadyRatePlans: Readonly<Record<Mode, SteadyRatePlan>> = {
	quick: { rounds: 1, seconds: 1 },
	default: { rounds: 5, seconds: 5 },
	full: { rounds: 5, seconds: 10 },
};
