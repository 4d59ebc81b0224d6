// What must be reached, as data: how each promise is computed from what was measured, and its bound.
import {
	bounds,
	growth,
	large,
	peers,
	small,
	usualConnections,
} from "./plan.ts";
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
	/** What stands in its way, as far as that is known. */
	readonly obstacle?: string;
}

const nodePeers: readonly TargetName[] = targets
	.filter((target) => "runsOnNode" in target)
	.map(({ name }) => name);

const coldPages =
	"the page of an animal is in no cache of SQLite and is read from the system's (2 to 3 µs). To map the file instead would save half of that, which is still too little, and take 330 MB of resident memory.";

const othersOnTheMachine =
	"nothing that it does depends on the number of animals; what others do on the machine does more, as the range of the readings shows.";

const obstaclesToGrowth: Partial<Record<TrialName, string>> = {
	get: coldPages,
	"walk by cursor": coldPages,
	"mix of 90 reads, 10 adds": coldPages,
};

export const promises: readonly Promised[] = [
	{
		...share("list", "embedded", "ceiling"),
		atLeast: 0.8,
		stretch: 0.9,
		obstacle:
			"a bare reply takes about 10 µs, and a list 1 to 2 more, half of it for the headers and the address of the request. What others do on the machine costs the ceiling less.",
	},
	{
		...share("get", "embedded", "ceiling"),
		atLeast: 0.65,
		stretch: 0.75,
		obstacle:
			"5 µs more than a bare reply of 9: the row (2), a body of its own (1), the headers and the address of the request (1), its ETag (0.5). Of all that, our own code takes half a microsecond; the rest is in the calls to Bun and SQLite.",
	},
	{
		...share("add", "embedded", "ceiling"),
		atLeast: 0.5,
		obstacle:
			"of 9 to 10 µs more than a bare reply of 10, the insert and a 32nd of a commit take 3 to 4 (for half of which the processor waits for the disk), reading, parsing and checking the body 2, a reply of its own 1, headers, address and key of the request 1. The rest is spread over the runtime, a tenth of all in its memory allocator.",
	},
	{
		...share("list", "postgres", "embedded"),
		atLeast: 0.5,
		obstacle:
			"a list on the embedded engine asks no database while nothing changes; here some sixteen callers share a query, and PostgreSQL has its core together with the load.",
	},
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
		obstacle:
			"where the core is taken away for some milliseconds, that is the p99; the machine is shared with others.",
	},
];

function share(
	trial: TrialName,
	target: TargetName,
	of: TargetName,
	section = bounds.title,
): Pick<Promised, "name" | "values"> {
	const cell = { section, trial, connections: usualConnections };
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
	const obstacle = obstaclesToGrowth[trial] ?? othersOnTheMachine;
	return {
		name: `${trial}: 10,000,000 animals, of 1,000`,
		values: (results) =>
			ratiosOf(
				valuesOf(results, { ...cell, animals: large }, "rate"),
				valuesOf(results, { ...cell, animals: small }, "rate"),
			),
		atLeast: 0.9,
		obstacle,
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
