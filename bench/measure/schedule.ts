// The order of a run: in each round, one trial after the other, each with new processes for all its targets.
import type { Section } from "../plan/sections.ts";
import type { Target } from "../plan/target.ts";
import { targets } from "../plan/targets.ts";
import { type Trial, trials } from "../plan/trials.ts";
import { createCollector } from "./collector.ts";
import type { Datasets } from "./datasets.ts";
import { measureInTurn, type Task } from "./in-turn.ts";
import type { Cell, Result } from "./results.ts";

export async function measureSection(
	section: Section,
	datasets: Datasets,
): Promise<Result[]> {
	const collector = createCollector();
	const available = targetsOf(section).filter((one) => !one.findObstacle?.());
	for (let round = 0; round < section.rounds; round++)
		for (const trial of trials.filter(({ name }) => isIn(section, name)))
			for (const connections of section.connections) {
				// All sizes and targets in the same turns, because they are compared with each other.
				const tasks = section.animals.flatMap((animals) =>
					available
						.filter((target) => target.trials?.includes(trial.name) ?? true)
						.map((target) => ({ target, trial, animals, connections })),
				);
				const readings = await measureInTurn(tasks, section, datasets);
				for (const [index, task] of tasks.entries())
					collector.add(toCell(section, task), readings[index] ?? []);
			}
	return collector.results();
}

/** Why targets of the sections cannot be measured on this machine, each in a sentence. */
export function findObstacles(sections: readonly Section[]): string[] {
	const planned = new Set(sections.flatMap(targetsOf));
	return [...planned].flatMap((target) => target.findObstacle?.() ?? []);
}

function targetsOf(section: Section): readonly Target[] {
	return targets.filter(({ name }) => section.targets.includes(name));
}

function isIn({ trials }: Section, name: Trial["name"]): boolean {
	return trials.some((wanted) => wanted === name);
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
