// Which targets are measured on which trials, as data.
import { type TargetName, targets } from "./targets.ts";
import { type TrialName, trials } from "./trials.ts";

export interface Section {
	readonly title: string;
	readonly targets: readonly TargetName[];
	readonly trials: readonly TrialName[];
	readonly animals: readonly number[];
	readonly connections: readonly number[];
	/** How often each target is started anew. */
	readonly rounds: number;
	readonly warmUpSeconds: number;
	/** How often it is then loaded for a second, in turn with the others. */
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
	title: "Against what one would take instead",
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

/** Half a second's difference between two rounds would drown in a quick run: it is for seeing that all works. */
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

export const steadyTitle = "At a steady rate";

/** How often a trial at a steady rate is repeated, and how long it lasts. */
export const paces: Readonly<
	Record<Mode, { rounds: number; seconds: number }>
> = {
	quick: { rounds: 1, seconds: 1 },
	default: { rounds: 5, seconds: 5 },
	full: { rounds: 5, seconds: 10 },
};
