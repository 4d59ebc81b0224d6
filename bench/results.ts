// What was measured: plain records, and how to find figures among them.

/** Names what a reading is of. */
export interface Cell {
	/** The title of what it was measured for: only what is of one section was measured in turn. */
	readonly section: string;
	readonly target: string;
	readonly trial: string;
	readonly animals: number;
	readonly connections: number;
}

/** What one process gave. */
export interface Reading {
	/** Requests a second. */
	readonly rate: number;
	readonly p99Ms: number;
	/** Resident memory before the load, and the most of it under the load. */
	readonly idleMb: number;
	readonly loadMb: number;
	/** From the process's start to its first reply. */
	readonly startMs: number;
	/** The share of the machine that others used before its process was first loaded. */
	readonly busy: number;
}

export interface Result extends Cell {
	/** As many as there were rounds, times the turns of each. */
	readonly readings: readonly Reading[];
}

export type Figure = keyof Reading;

/** All values of a figure where the cell is like this. */
export function valuesOf(
	results: readonly Result[],
	where: Partial<Cell>,
	figure: Figure,
): readonly number[] {
	return results
		.filter((result) => isLike(result, where))
		.flatMap(({ readings }) => readings.map((reading) => reading[figure]));
}

function isLike(cell: Cell, where: Partial<Cell>): boolean {
	return names.every(
		(key) => where[key] === undefined || where[key] === cell[key],
	);
}

const names = [
	"section",
	"target",
	"trial",
	"animals",
	"connections",
] as const satisfies readonly (keyof Cell)[];

/** Turn by turn: those were measured one after the other, so what else the machine did fell on both. */
export function ratiosOf(
	over: readonly number[],
	under: readonly number[],
): readonly number[] {
	return over.slice(0, under.length).map((value, turn) => {
		return value / (under[turn] ?? Number.NaN);
	});
}

export function median(values: readonly number[]): number {
	const sorted = values.toSorted((a, b) => a - b);
	const upper = sorted[sorted.length >> 1] ?? Number.NaN;
	const lower = sorted[(sorted.length - 1) >> 1] ?? Number.NaN;
	return (lower + upper) / 2;
}
