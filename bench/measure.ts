// Measures contenders in turn, so that a slow moment of the machine affects all of them.
import type { Contender } from "./contenders.ts";

/** What a trial measured, by the names of the figures. */
export type Figures = Readonly<Record<string, number>>;

export interface Trial {
	readonly name: string;
	/** How often each contender is read in a pair. */
	readonly turns: number;
	/** Why it cannot run here, or undefined. */
	readonly skipReason?: (() => string | undefined) | undefined;
	readonly isFor: (contender: Contender) => boolean;
	/** Starts and warms up what is measured. */
	readonly open: (contender: Contender) => Promise<{
		readonly read: () => Promise<Figures>;
		readonly close: () => Promise<void>;
	}>;
}

export interface Result {
	readonly trial: string;
	/** For each contender that was measured, by its name, the means of each pair. */
	readonly pairs: ReadonlyMap<string, readonly Figures[]>;
}

/** A pair is one new process for each contender. They are read in the order A B B A, and in the next pair B A A B. */
export async function measureInTurn(
	trial: Trial,
	contenders: readonly Contender[],
	pairs: number,
): Promise<Result> {
	const measured = contenders.filter(trial.isFor);
	const found = new Map(measured.map(({ name }) => [name, [] as Figures[]]));
	for (let pair = 0; pair < pairs; pair++) {
		const order = pair % 2 === 0 ? measured : measured.toReversed();
		const opened = [];
		for (const contender of order)
			opened.push({ contender, ...(await trial.open(contender)) });
		const readings = new Map<string, Figures[]>();
		for (let turn = 0; turn < trial.turns; turn++)
			for (const one of turn % 2 === 0 ? opened : opened.toReversed()) {
				const { name } = one.contender;
				readings.set(name, [...(readings.get(name) ?? []), await one.read()]);
			}
		for (const { close } of opened) await close();
		for (const [name, some] of readings) found.get(name)?.push(meansOf(some));
		console.error(`${trial.name}, pair ${pair + 1}: ${toLine(found)}`);
	}
	return { trial: trial.name, pairs: found };
}

function meansOf(readings: readonly Figures[]): Figures {
	const [first = {}] = readings;
	const means = Object.keys(first).map((figure) => {
		const values = readings.map((reading) => reading[figure] ?? Number.NaN);
		const sum = values.reduce((total, value) => total + value, 0);
		return [figure, sum / values.length];
	});
	return Object.fromEntries(means);
}

function toLine(found: ReadonlyMap<string, readonly Figures[]>): string {
	return [...found]
		.map(([name, pairs]) => {
			const [value] = Object.values(pairs.at(-1) ?? {});
			return `${name} ${value?.toFixed(1)}`;
		})
		.join(", ");
}
