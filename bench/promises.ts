// What must be reached, as data: how each promise is computed from what was measured, and its bound.
import { bounds, growth, large, peers, small } from "./plan.ts";
import {
	type Cell,
	type Figure,
	median,
	type Result,
	ratiosOf,
	valuesOf,
} from "./results.ts";
import { type TargetName, targets } from "./targets.ts";
import { type PacedTrialName, type TrialName, trials } from "./trials.ts";

export interface Promised {
	readonly name: string;
	/** One a reading; none where it was not measured. */
	readonly values: (results: readonly Result[]) => readonly number[];
	readonly atLeast?: number;
	readonly atMost?: number;
	/** What we would like beyond it. */
	readonly stretch?: number;
	readonly unit?: "ms" | "MB";
}

const nodePeers: readonly TargetName[] = targets
	.filter((target) => "runsOnNode" in target)
	.map(({ name }) => name);

export const promises: readonly Promised[] = [
	{ ...share("list", "embedded", "ceiling"), atLeast: 0.8, stretch: 0.9 },
	{ ...share("get", "embedded", "ceiling"), atLeast: 0.65, stretch: 0.75 },
	{ ...share("add", "embedded", "ceiling"), atLeast: 0.5 },
	{ ...share("list", "postgres", "embedded"), atLeast: 0.5 },
	{ ...share("get", "postgres", "embedded"), atLeast: 0.5 },
	...nodePeers.map((peer) => ({
		...share("list", "embedded", peer, peers.title),
		atLeast: 3,
	})),
	{ ...share("list", "embedded", "Hono on Bun", peers.title), atLeast: 1.5 },
	{
		name: "p99 of list while 8 clients add to a disk with 5 ms fsyncs, of that without adds",
		values: (results) =>
			ratiosOf(
				paced(results, "list at half the peak rate, slow disk, 8 clients add"),
				paced(results, "list at half the peak rate, slow disk"),
			),
		atMost: 2,
	},
	...trials.map(({ name }) => toGrowth(name)),
	{
		name: "memory, idle, 10,000,000 animals",
		values: figure("idleMb", { target: "embedded", animals: large }),
		atMost: 45,
		unit: "MB",
	},
	{
		name: "memory, most under load, 10,000,000 animals",
		values: (results) => [
			Math.max(...mostByTrial(results, { target: "embedded", animals: large })),
		],
		atMost: 120,
		unit: "MB",
	},
	{
		name: "cold start to the first 200, 10,000,000 animals",
		values: figure("startMs", { target: "embedded", animals: large }),
		atMost: 150,
		unit: "ms",
	},
	...nodePeers.map(
		(peer): Promised => ({
			name: `cold start, of ${peer}`,
			values: (results) =>
				ratiosOf(starts("embedded", results), starts(peer, results)),
			atMost: 1,
		}),
	),
	{
		name: "p99 of list at half the peak rate",
		values: (results) => paced(results, "list at half the peak rate"),
		atMost: 2,
		unit: "ms",
	},
];

function share(
	trial: TrialName,
	target: TargetName,
	of: TargetName,
	section = bounds.title,
): Pick<Promised, "name" | "values"> {
	const cell = { section, trial, connections: 32 };
	return {
		name: `${trial}: ${target}, of ${of}`,
		values: (results) =>
			ratiosOf(
				valuesOf(results, { ...cell, target }, "rate"),
				valuesOf(results, { ...cell, target: of }, "rate"),
			),
	};
}

function toGrowth(trial: TrialName): Promised {
	const cell = { section: growth.title, trial, target: "embedded" };
	return {
		name: `${trial}: 10,000,000 animals, of 1,000`,
		values: (results) =>
			ratiosOf(
				valuesOf(results, { ...cell, animals: large }, "rate"),
				valuesOf(results, { ...cell, animals: small }, "rate"),
			),
		atLeast: 0.9,
	};
}

function figure(name: Figure, where: Partial<Cell>): Promised["values"] {
	return (results) => valuesOf(results, where, name);
}

function starts(target: TargetName, results: readonly Result[]) {
	return valuesOf(results, { section: peers.title, target }, "startMs");
}

function paced(results: readonly Result[], trial: PacedTrialName) {
	return valuesOf(results, { trial }, "p99Ms");
}

/** The median of its rounds for each trial. */
function mostByTrial(results: readonly Result[], where: Partial<Cell>) {
	return trials
		.map(({ name }) => valuesOf(results, { ...where, trial: name }, "loadMb"))
		.filter((values) => values.length > 0)
		.map(median);
}
