// The order of a run: round after round, the targets of a trial in turn, each in a fresh process.
import { measureInTurn, type Task } from "./measure.ts";
import { measurePaced } from "./pace.ts";
import {
	bounds,
	type Section,
	steadyTitle,
	usual,
	usualConnections,
} from "./plan.ts";
import {
	type Cell,
	median,
	type Reading,
	type Result,
	valuesOf,
} from "./results.ts";
import type { Shelf } from "./shelf.ts";
import { isInstalled, targets } from "./targets.ts";
import { pacedTrials, type Trial, trials } from "./trials.ts";

export async function measureSection(
	section: Section,
	shelf: Shelf,
): Promise<Result[]> {
	const log = createLog();
	for (let round = 0; round < section.rounds; round++)
		for (const trial of trials.filter(({ name }) => isIn(section, name)))
			for (const connections of section.connections) {
				// Sizes and targets: what is to be compared is measured in the same seconds.
				const tasks = section.animals.flatMap((animals) =>
					available(section).map((target) => {
						return { target, trial, animals, connections };
					}),
				);
				const readings = await measureInTurn(tasks, section, shelf);
				for (const [place, task] of tasks.entries())
					log.add(toCell(section, task), readings[place] ?? []);
			}
	return log.results();
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

/** The trials at a steady rate; they need the peak, which is among the results so far. */
export async function measurePace(
	before: readonly Result[],
	{ rounds, seconds }: { rounds: number; seconds: number },
	shelf: Shelf,
): Promise<Result[]> {
	const [target] = targets;
	const size = { animals: usual, connections: usualConnections };
	const cell = { ...size, target: target.name };
	const peaks = { ...cell, section: bounds.title, trial: "list" };
	const peak = median(valuesOf(before, peaks, "rate"));
	const log = createLog();
	if (Number.isNaN(peak)) return log.results();
	for (let round = 0; round < rounds; round++)
		for (const trial of pacedTrials) {
			if ("slowDisk" in trial && !isInstalled("strace")) continue;
			const pace = { ...size, target, trial, rate: peak / 2, seconds };
			log.add({ ...cell, section: steadyTitle, trial: trial.name }, [
				await measurePaced(pace, shelf),
			]);
		}
	return log.results();
}

function createLog() {
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
