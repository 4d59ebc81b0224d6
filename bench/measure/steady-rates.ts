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
import { type SteadyRateTrial, steadyRateTrials } from "../plan/trials.ts";
import { createCollector } from "./collector.ts";
import type { Datasets } from "./datasets.ts";
import { type Result, valuesOf } from "./results.ts";
import { median } from "./statistics.ts";
import { measureAtSteadyRate } from "./steady-rate.ts";

/** The peak is taken from the results so far. Without it nothing is measured. */
export async function measureSteadyRates(
	before: readonly Result[],
	{ rounds, seconds }: SteadyRatePlan,
	datasets: Datasets,
): Promise<Result[]> {
	const size = { animals: usual, connections: usualConnections };
	const peaks = { ...size, section: bounds.title, trial: "list" };
	const own = { ...peaks, target: "embedded" };
	const rate = median(valuesOf(before, own, "rate")) / 2;
	const collector = createCollector();
	if (Number.isNaN(rate)) return collector.results();
	for (let round = 0; round < rounds; round++)
		for (const { target, trial } of pairs()) {
			const cell = { ...size, target: target.name, trial: trial.name };
			collector.add({ ...cell, section: steadyRateTitle }, [
				await measureAtSteadyRate(
					{ ...size, target, trial, rate, seconds },
					datasets,
				),
			]);
		}
	return collector.results();
}

/** The ceiling stores nothing, so the disk makes no difference to it. */
function pairs(): { target: Target; trial: SteadyRateTrial }[] {
	const trials: readonly SteadyRateTrial[] = steadyRateTrials;
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
