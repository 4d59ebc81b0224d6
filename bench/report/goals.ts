// The goals, as data: how the value of each is computed from the results, and what it must be.
import {
	type Cell,
	type Figure,
	median,
	type Result,
	ratiosOf,
	valuesOf,
} from "../measure/results.ts";
import {
	bounds,
	growth,
	large,
	peers,
	small,
	usualConnections,
} from "../plan/sections.ts";
import { type TargetName, targets } from "../plan/targets.ts";
import {
	type SteadyRateTrialName,
	type TrialName,
	trials,
} from "../plan/trials.ts";

export interface Goal {
	readonly name: string;
	/** One value per reading. Empty if it was not measured. */
	readonly values: (results: readonly Result[]) => readonly number[];
	readonly atLeast?: number;
	readonly atMost?: number;
	/** A higher value that we would like to reach. */
	readonly stretch?: number;
	readonly unit?: "ms" | "MB";
	/** Why it may be missed, if that is known. */
	readonly reason?: string;
}

const nodePeers: readonly TargetName[] = targets
	.filter((target) => "runsOnNode" in target)
	.map(({ name }) => name);

const coldPages =
	"The database page of the animal is not in SQLite's page cache and is read from that of the operating system (2 to 3 µs). Memory-mapping the file would save half of that, which is not enough, and would take 330 MB of resident memory.";

const otherPrograms =
	"No part of this operation depends on the number of animals. Other programs on the machine have a larger effect, as the range of the readings shows.";

const growthReasons: Partial<Record<TrialName, string>> = {
	get: coldPages,
	"walk by cursor": coldPages,
	"mix of 90 reads, 10 adds": coldPages,
};

export const goals: readonly Goal[] = [
	{
		...toRateRatio("list", "embedded", "ceiling"),
		atLeast: 0.8,
		stretch: 0.9,
		reason:
			"A bare reply takes about 10 µs and a list 1 to 2 µs more, half of it to read the headers and the URL of the request. Other programs on the machine slow the ceiling down less.",
	},
	{
		...toRateRatio("get", "embedded", "ceiling"),
		atLeast: 0.65,
		stretch: 0.75,
		reason:
			"A bare reply takes 9 µs and a get 5 µs more: 2 to read the row, 1 to create the body of the reply, 1 to read the headers and the URL of the request, 0.5 for the ETag. Our own code takes half a microsecond of this. The rest is in the calls to Bun and SQLite.",
	},
	{
		...toRateRatio("add", "embedded", "ceiling"),
		atLeast: 0.5,
		reason:
			"A bare reply takes 10 µs and an add 9 to 10 µs more: 3 to 4 for the insert and its share of a commit of 32 adds (half of this is waiting for the disk), 2 to read, parse and validate the body, 1 to create the reply, 1 to read the headers, the URL and the key of the request. The rest is spread over the runtime. Its memory allocator takes a tenth of the total.",
	},
	{
		...toRateRatio("list", "postgres", "embedded"),
		atLeast: 0.5,
		reason:
			"A list on the embedded engine sends no query while nothing is committed. On PostgreSQL about sixteen requests share a query, and PostgreSQL shares its core with the load generator.",
	},
	{ ...toRateRatio("get", "postgres", "embedded"), atLeast: 0.5 },
	...nodePeers.map((peer) => ({
		...toRateRatio("list", "embedded", peer, peers.title),
		atLeast: 3,
	})),
	{
		...toRateRatio("list", "embedded", "Hono on Bun", peers.title),
		atLeast: 1.5,
	},
	{
		name: "p99 of list on a disk with 5 ms fsyncs: while 8 clients add / without adds",
		values: (results) =>
			ratiosOf(
				steadyP99(
					results,
					"list at half the peak rate, slow disk, 8 clients add",
				),
				steadyP99(results, "list at half the peak rate, slow disk"),
			),
		atMost: 2,
	},
	...trials.map(({ name }) => toGrowth(name)),
	{
		name: "idle memory, 10,000,000 animals",
		values: figure("idleMb", { target: "embedded", animals: large }),
		atMost: 45,
		unit: "MB",
	},
	{
		name: "peak memory under load, 10,000,000 animals",
		values: (results) => [
			Math.max(
				...memoryByTrial(results, { target: "embedded", animals: large }),
			),
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
		(peer): Goal => ({
			name: `cold start: embedded / ${peer}`,
			values: (results) =>
				ratiosOf(starts("embedded", results), starts(peer, results)),
			atMost: 1,
		}),
	),
	{
		name: "p99 of list at half the peak rate",
		values: (results) => steadyP99(results, "list at half the peak rate"),
		atMost: 2,
		unit: "ms",
		reason:
			"The machine is shared. When the hypervisor takes the core away for some milliseconds, that is the p99.",
	},
];

function toRateRatio(
	trial: TrialName,
	target: TargetName,
	other: TargetName,
	section = bounds.title,
): Pick<Goal, "name" | "values"> {
	const cell = { section, trial, connections: usualConnections };
	return {
		name: `${trial}: ${target} / ${other}`,
		values: (results) =>
			ratiosOf(
				valuesOf(results, { ...cell, target }, "rate"),
				valuesOf(results, { ...cell, target: other }, "rate"),
			),
	};
}

function toGrowth(trial: TrialName): Goal {
	const cell = { section: growth.title, trial, target: "embedded" };
	const reason = growthReasons[trial] ?? otherPrograms;
	return {
		name: `${trial}: 10,000,000 animals / 1,000 animals`,
		values: (results) =>
			ratiosOf(
				valuesOf(results, { ...cell, animals: large }, "rate"),
				valuesOf(results, { ...cell, animals: small }, "rate"),
			),
		atLeast: 0.9,
		reason,
	};
}

function figure(name: Figure, where: Partial<Cell>): Goal["values"] {
	return (results) => valuesOf(results, where, name);
}

function starts(target: TargetName, results: readonly Result[]) {
	return valuesOf(results, { section: peers.title, target }, "startMs");
}

function steadyP99(results: readonly Result[], trial: SteadyRateTrialName) {
	return valuesOf(results, { trial }, "p99Ms");
}

/** For each trial, the median of its readings. */
function memoryByTrial(results: readonly Result[], where: Partial<Cell>) {
	return trials
		.map(({ name }) => valuesOf(results, { ...where, trial: name }, "loadMb"))
		.filter((values) => values.length > 0)
		.map(median);
}
