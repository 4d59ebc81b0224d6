// A goal, and how its values are computed from the results.
import {
	type Cell,
	type Figure,
	type Result,
	valuesOf,
} from "../measure/results.ts";
import { ratiosOf } from "../measure/statistics.ts";
import type { Section } from "../plan/sections.ts";
import type { TargetName } from "../plan/targets.ts";
import type { TrialName } from "../plan/trials.ts";

export interface Goal {
	readonly name: string;
	/** One value per reading. Empty if it was not measured. */
	readonly values: (results: readonly Result[]) => readonly number[];
	readonly atLeast?: number;
	readonly atMost?: number;
	readonly unit?: "ms" | "MB";
	/** Why it may be missed, if that is known. */
	readonly reason?: string;
}

export type Measured = Pick<Goal, "name" | "values">;

/** The processor time of one target divided by that of another, in the same trial. */
export function toTimeRatio(
	{ title }: Section,
	trial: TrialName,
	dividend: TargetName,
	divisor: TargetName,
): Measured {
	const cell = { section: title, trial };
	return {
		name: `${trial}: processor time, ${dividend} / ${divisor}`,
		values: ratio(
			"processorUs",
			{ ...cell, target: dividend },
			{ ...cell, target: divisor },
		),
	};
}

/** Divides turn by turn. */
export function ratio(
	figure: Figure,
	dividend: Partial<Cell>,
	divisor: Partial<Cell>,
): Goal["values"] {
	return (results) =>
		ratiosOf(
			valuesOf(results, dividend, figure),
			valuesOf(results, divisor, figure),
		);
}

export function figure(name: Figure, where: Partial<Cell>): Goal["values"] {
	return (results) => valuesOf(results, where, name);
}
