// The goals, as data: a value from the results, and its limit.
import { type Cell, type Result, valuesOf } from "../measure/results.ts";
import { median } from "../measure/statistics.ts";
import { peerTargets } from "../plan/peer-targets.ts";
import {
	bounds,
	engines,
	growth,
	large,
	memory,
	peers,
	small,
	steadyRateTitle,
} from "../plan/sections.ts";
import type { TargetName } from "../plan/targets.ts";
import type { SteadyRateTrialName, TrialName } from "../plan/trials.ts";
import {
	figure,
	type Goal,
	type Measured,
	ratio,
	toTimeRatio,
} from "./goal.ts";

const nodePeers: readonly TargetName[] = peerTargets
	.filter((target) => "runsOnNode" in target)
	.map(({ name }) => name);

const coldPages =
	"The database page of the animal is not in SQLite's page cache and is read from that of the operating system.";

const manyCursors =
	"1,000 animals have 50 pages, whose cursors the service remembers. With 50 pages of both, the ratio is 0.93. `sqlite3` alone takes the same time for the 5,000 pages of 10,000,000 animals and for the 50 of 1,000.";

/** The other trials read no page that depends on the number of animals. */
const growthReasons: Partial<Record<TrialName, string>> = {
	"mix of 90 reads, 10 adds": coldPages,
	"walk by cursor": manyCursors,
};

const mappedPart =
	"280 MB of the file are mapped, which has 463 MB. The other pages are read from the page cache of the operating system.";

// Measured in turn on 17 November 2026; profiles by `bun --cpu-prof` on the day before.
const limitOfList =
	"A ceiling that also reads the URL, the key, X-Request-Id, If-None-Match and the clock takes 13.5 µs for a list, where the ceiling takes 11.0 and the service 14.2.";
const limitOfGet =
	"A ceiling that also reads the URL and three headers, gets the animal from SQLite, and makes its JSON and ETag takes 18.1 µs, where the ceiling takes 11.2 and the service 21.0.";
const profileOfAdd =
	"By removal: the insert takes 23 % with its part of the commit, looking whether the files are still the same 7 %, waiting and metrics 4 %, and the count of animals 2 %. In a profile none of the other functions took more than 4 %.";
const profileOfPostgresGet =
	"In a profile, writing to the socket of PostgreSQL took 30 %, although gets that wait at the same time share a query.";
const fullCollections =
	"A full garbage collection takes 1.6 to 2.0 ms of the one core, and up to 4.6 ms while the server is new. That of the ceiling takes 0.7 ms.";
const idlePages =
	"Of 43 MB, 31 MB are pages of Bun's program and libraries. The ceiling has 20 MB.";

export const goals: readonly Goal[] = [
	{
		...toTimeRatio(bounds, "list", "ceiling", "embedded"),
		atLeast: 0.9,
		reason: limitOfList,
	},
	{
		...toTimeRatio(bounds, "list with status and limit", "ceiling", "embedded"),
		atLeast: 0.88,
		reason: limitOfList,
	},
	{
		...toTimeRatio(bounds, "get", "ceiling", "embedded"),
		atLeast: 0.65,
		reason: limitOfGet,
	},
	{
		...toTimeRatio(bounds, "304 by ETag", "ceiling", "embedded"),
		atLeast: 0.82,
		reason: limitOfList,
	},
	{
		...toTimeRatio(bounds, "401", "ceiling", "embedded"),
		atLeast: 0.82,
		reason: limitOfList,
	},
	{
		...toTimeRatio(bounds, "add", "ceiling", "embedded"),
		atLeast: 0.52,
		reason: profileOfAdd,
	},
	{
		name: "p99 of list at half the peak rate: embedded / ceiling",
		values: ratio(
			"p99Ms",
			atSteadyRate("list at half the peak rate", "embedded"),
			atSteadyRate("list at half the peak rate", "ceiling"),
		),
		atMost: 1.5,
		reason: fullCollections,
	},
	{
		name: "p99 of list at saturation: embedded / ceiling",
		values: ratio(
			"p99Ms",
			{ section: bounds.title, trial: "list", target: "embedded" },
			{ section: bounds.title, trial: "list", target: "ceiling" },
		),
		atMost: 2,
	},
	{
		...toGrowth("get", "embedded, 400 MB"),
		atLeast: 0.8,
		reason: mappedPart,
	},
	{ ...toGrowth("get", "embedded"), atLeast: 0.65, reason: coldPages },
	...growth.trials.map((trial) => ({
		...toGrowth(trial, "embedded"),
		atLeast: trial === "walk by cursor" ? 0.85 : 0.9,
		...(growthReasons[trial] && { reason: growthReasons[trial] }),
	})),
	{ ...toTimeRatio(engines, "list", "embedded", "postgres"), atLeast: 0.5 },
	{
		...toTimeRatio(engines, "get", "embedded", "postgres"),
		atLeast: 0.6,
		reason: profileOfPostgresGet,
	},
	{ ...toTimeRatio(engines, "add", "embedded", "postgres"), atLeast: 0.5 },
	...nodePeers.map((peer) => ({
		...toTimeRatio(peers, "list", peer, "embedded"),
		atLeast: 3,
	})),
	{
		...toTimeRatio(peers, "list", "Hono on Bun", "embedded"),
		atLeast: 1.5,
	},
	{
		name: "p99 of list on a disk with 5 ms fsyncs: while 8 clients add / without adds",
		values: ratio(
			"p99Ms",
			atSteadyRate(
				"list at half the peak rate, slow disk, 8 clients add",
				"embedded",
			),
			atSteadyRate("list at half the peak rate, slow disk", "embedded"),
		),
		atMost: 2,
	},
	{
		name: "p99 of list at half the peak rate",
		values: figure(
			"p99Ms",
			atSteadyRate("list at half the peak rate", "embedded"),
		),
		atMost: 2,
		unit: "ms",
		reason: fullCollections,
	},
	{
		name: "idle memory, 10,000,000 animals",
		values: figure("idleMb", { target: "embedded", animals: large }),
		atMost: 40,
		unit: "MB",
		reason: idlePages,
	},
	{
		name: "peak memory under load, 10,000,000 animals",
		values: peakMemory({ target: "embedded", animals: large }),
		atMost: 120,
		unit: "MB",
	},
	{
		name: "peak memory under load with --memory 400MB, 10,000,000 animals",
		values: peakMemory({ target: "embedded, 400 MB", animals: large }),
		atMost: 400,
		unit: "MB",
	},
	{
		name: "cold start to the first 200, 10,000,000 animals",
		values: figure("startMs", { target: "embedded", animals: large }),
		atMost: 90,
		unit: "ms",
	},
	...nodePeers.map((peer) => ({
		name: `cold start: embedded / ${peer}`,
		values: ratio(
			"startMs",
			{ section: peers.title, target: "embedded" },
			{ section: peers.title, target: peer },
		),
		atMost: 1,
	})),
];

function toGrowth(trial: TrialName, target: TargetName): Measured {
	const { title } = trial === "get" ? memory : growth;
	const cell = { section: title, trial, target };
	return {
		name: `${trial}: processor time, ${target}, 1,000 animals / 10,000,000 animals`,
		values: ratio(
			"processorUs",
			{ ...cell, animals: small },
			{ ...cell, animals: large },
		),
	};
}

function atSteadyRate(
	trial: SteadyRateTrialName,
	target: TargetName,
): Partial<Cell> {
	return { section: steadyRateTitle, trial, target };
}

/** The highest of the medians of all trials. */
function peakMemory(where: Partial<Cell>): Goal["values"] {
	return (results: readonly Result[]) => {
		const trials = new Set(results.map(({ trial }) => trial));
		const medians = [...trials]
			.map((trial) => median(valuesOf(results, { ...where, trial }, "loadMb")))
			.filter(Number.isFinite);
		return medians.length === 0 ? [] : [Math.max(...medians)];
	};
}
