// The order of the trials at a steady rate: half the peak rate of our service, for our service and for the ceiling.
import { isInstalled } from "../machine/programs.ts";
import {
	bounds,
	type SteadyRatePlan,
	steadyRateTitle,
	usual,
	usualConnections,
} from "../plan/sections.ts";
import type { Target } from "../plan/target.ts";
import { targets } from "../plan/targets.ts";
import { steadyRateTrials, type Trial } from "../plan/trials.ts";
import { createCollector } from "./collector.ts";
import type { Datasets } from "./datasets.ts";
import { measureInTurn } from "./in-turn.ts";
import { type Result, valuesOf } from "./results.ts";
import { median } from "./statistics.ts";

/** The peak is taken from the results so far. Without it nothing is measured. */
export async function measureSteadyRates(
	before: readonly Result[],
	plan: SteadyRatePlan,
	datasets: Datasets,
): Promise<Result[]> {
	const size = { animals: usual, connections: usualConnections };
	const peaks = { ...size, section: bounds.title, trial: "list" };
	const own = { ...peaks, target: "embedded" };
	const rate = median(valuesOf(before, own, "rate")) / 2;
	const collector = createCollector();
	if (Number.isNaN(rate)) return collector.results();
	const tasks = pairs().map((pair) => ({ ...size, ...pair, rate }));
	for (let round = 0; round < plan.rounds; round++) {
		const readings = await measureInTurn(tasks, plan, datasets);
		for (const [index, { target, trial }] of tasks.entries()) {
			const cell = { ...size, target: target.name, trial: trial.name };
			collector.add(
				{ ...cell, section: steadyRateTitle },
				readings[index] ?? [],
			);
		}
	}
	return collector.results();
}

/** The ceiling stores nothing, so the disk makes no difference to it. */
function pairs(): { target: Target; trial: Trial }[] {
	const trials: readonly Trial[] = steadyRateTrials;
	return trials
		.filter(({ slowDisk }) => !slowDisk || isInstalled("strace"))
		.flatMap((trial) =>
			targets
				.filter(
					({ name }) =>
						name === "embedded" || (name === "ceiling" && !trial.slowDisk),
				)
				.map((target) => ({ target, trial })),
		);
}
