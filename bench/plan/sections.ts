// The plan of a run, as data: its sections, each with the targets that are measured and the trials that they are measured on.
import { peerTargets } from "./peer-targets.ts";
import type { TargetName } from "./targets.ts";
import type { TrialName } from "./trials.ts";

export interface Section {
	readonly title: string;
	/** What readers must know of its figures. */
	readonly note?: string;
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

/** The trials that have a goal against the ceiling. */
const judged = [
	"list",
	"list with status and limit",
	"get",
	"304 by ETag",
	"401",
	"add",
] as const satisfies readonly TrialName[];

const others = [
	"list with an add after every 300",
	"add with Idempotency-Key",
	"mix of 90 reads, 10 adds",
	"walk by cursor",
] as const satisfies readonly TrialName[];

export const bounds: Section = {
	title: "Against a bare server",
	targets: ["embedded", "ceiling"],
	trials: judged,
	animals: [usual],
	connections: [usualConnections],
	rounds: 2,
	warmUpSeconds: 2,
	turns: 10,
};

const mixed: Section = {
	...bounds,
	title: "Against a bare server, further requests",
	trials: others,
	turns: 4,
};

export const engines: Section = {
	title: "On PostgreSQL",
	targets: ["embedded", "postgres"],
	trials: three,
	animals: [usual],
	connections: [usualConnections],
	rounds: 2,
	warmUpSeconds: 1,
	turns: 4,
};

export const peers: Section = {
	title: "Against alternatives",
	targets: [
		...(["embedded", "ceiling", "nginx"] as const),
		...peerTargets.map(({ name }) => name),
	],
	trials: three,
	animals: [small],
	connections: [usualConnections],
	rounds: 2,
	warmUpSeconds: 2,
	turns: 2,
};

export const growth: Section = {
	title: "As the catalogue grows",
	targets: ["embedded"],
	trials: [
		...(["list", "list with status and limit", "add"] as const),
		...(["mix of 90 reads, 10 adds", "walk by cursor"] as const),
	],
	animals: [small, large],
	connections: [usualConnections],
	rounds: 2,
	warmUpSeconds: 1,
	turns: 3,
};

export const memory: Section = {
	title: "Get in a large catalogue, by memory",
	targets: ["embedded", "embedded, 400 MB"],
	trials: ["get"],
	animals: [small, large],
	connections: [usualConnections],
	rounds: 2,
	// Long enough to read the pages that `--memory` can hold.
	warmUpSeconds: 6,
	turns: 4,
};

const matrix: Section = {
	title: "Every trial at every size",
	targets: ["embedded", "postgres"],
	trials: [...judged, ...others],
	animals: [small, usual, large],
	connections: [1, 32, 64, 256],
	rounds: 2,
	warmUpSeconds: 2,
	turns: 3,
};

const sections = [bounds, mixed, engines, peers, growth, memory];

/** Shows that everything works. It is too short for reliable figures, and the servers are not warmed up. */
function toQuick(section: Section): Section {
	const isShort = section === peers || section === growth;
	return {
		...section,
		rounds: 1,
		warmUpSeconds: 0,
		turns: 1,
		trials: isShort ? ["list"] : section.trials,
		animals: section.animals.map((size) => Math.min(size, usual)),
	};
}

export const plans: Readonly<Record<Mode, readonly Section[]>> = {
	quick: sections.map(toQuick),
	default: sections,
	full: [...sections, matrix],
};

export const steadyRateTitle = "At a steady rate";

export type SteadyRatePlan = Pick<
	Section,
	"rounds" | "warmUpSeconds" | "turns"
>;

/** Long warm-ups: compiling code delays replies on the server's one core. */
export const steadyRatePlans: Readonly<Record<Mode, SteadyRatePlan>> = {
	quick: { rounds: 1, warmUpSeconds: 0, turns: 1 },
	default: { rounds: 1, warmUpSeconds: 5, turns: 16 },
	full: { rounds: 4, warmUpSeconds: 10, turns: 20 },
};

/** How many animals the files have, and how often each trial with files is run. */
export const filePlans: Readonly<
	Record<Mode, { readonly animals: number; readonly rounds: number }>
> = {
	quick: { animals: usual, rounds: 1 },
	default: { animals: 1_000_000, rounds: 2 },
	full: { animals: 1_000_000, rounds: 5 },
};

export const keptTitle = "Against an older commit";

/** How often both are started, and the turns of each request per start. */
export const keptPlans: Readonly<
	Record<Mode, { readonly rounds: number; readonly turns: number }>
> = {
	quick: { rounds: 1, turns: 1 },
	default: { rounds: 6, turns: 3 },
	full: { rounds: 12, turns: 3 },
};
