// The order of a run: in each round, one trial after the other, each with new processes for all its targets.
import { isInstalled } from "../machine/programs.ts";
import {
	bounds,
	type Section,
	type SteadyRatePlan,
	steadyRateTitle,
	usual,
	usualConnections,
} from "../plan/sections.ts";
import { targets } from "../plan/targets.ts";
import { steadyRateTrials, type Trial, trials } from "../plan/trials.ts";
import type { Datasets } from "./datasets.ts";
import { measureInTurn, type Task } from "./in-turn.ts";
import {
	type Cell,
	median,
	type Reading,
	type Result,
	valuesOf,
} from "./results.ts";
import { measureAtSteadyRate } from "./steady-rate.ts";

export async function measureSection(
	section: Section,
	datasets: Datasets,
): Promise<Result[]> {
	const collector = createCollector();
	for (let round = 0; round < section.rounds; round++)
		for (const trial of trials.filter(({ name }) => isIn(section, name)))
			for (const connections of section.connections) {
				// All sizes and targets in the same turns, because they are compared with each other.
				const tasks = section.animals.flatMap((animals) =>
					available(section).map((target) => {
						return { target, trial, animals, connections };
					}),
				);
				const readings = await measureInTurn(tasks, section, datasets);
				for (const [index, task] of tasks.entries())
					collector.add(toCell(section, task), readings[index] ?? []);
			}
	return collector.results();
}

function toCell({ title }: Section, task: Task): Cell {
	const { target, trial, animals, connections } = task;
	return {
		section: title,
		target: target.name,
		trial: trial.name,
		animals,
		connections,
	};
}

function isIn({ trials }: Section, name: Trial["name"]): boolean {
	return trials.some((wanted) => wanted === name);
}

function available(section: Section) {
	return targets.filter(
		(target) =>
			section.targets.includes(target.name) &&
			(!("needs" in target) || isInstalled(target.needs)),
	);
}

/** Runs the trials at half the peak rate. The peak is taken from the results so far. Without it nothing is measured. */
export async function measureSteadyRates(
	before: readonly Result[],
	{ rounds, seconds }: SteadyRatePlan,
	datasets: Datasets,
): Promise<Result[]> {
	const [target] = targets;
	const size = { animals: usual, connections: usualConnections };
	const cell = { ...size, target: target.name };
	const peaks = { ...cell, section: bounds.title, trial: "list" };
	const peak = median(valuesOf(before, peaks, "rate"));
	const collector = createCollector();
	if (Number.isNaN(peak)) return collector.results();
	for (let round = 0; round < rounds; round++)
		for (const trial of steadyRateTrials) {
			if ("slowDisk" in trial && !isInstalled("strace")) continue;
			const task = { ...size, target, trial, rate: peak / 2, seconds };
			collector.add({ ...cell, section: steadyRateTitle, trial: trial.name }, [
				await measureAtSteadyRate(task, datasets),
			]);
		}
	return collector.results();
}

/** Collects the readings of all rounds, and prints each as progress. */
function createCollector() {
	const found = new Map<string, Cell & { readings: Reading[] }>();
	return {
		add(cell: Cell, readings: readonly Reading[]) {
			const key = JSON.stringify(cell);
			const result = found.get(key) ?? { ...cell, readings: [] };
			result.readings.push(...readings);
			found.set(key, result);
			const rates = readings.map(({ rate }) => rate.toFixed(0)).join(", ");
			console.error(
				`${cell.target}, ${cell.trial}, ${cell.animals} animals, ${cell.connections} connections: ${rates}/s`,
			);
		},
		results: () => [...found.values()],
	};
}
