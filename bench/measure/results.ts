// The results of a run: plain records, and functions that select figures from them.

/** Identifies what was measured. */
export interface Cell {
	/** The title of a section. Only readings of the same section were measured in turn. */
	readonly section: string;
	readonly target: string;
	readonly trial: string;
	readonly animals: number;
	readonly connections: number;
}

/** What one load on one process gave. */
export interface Reading {
	/** Requests a second. */
	readonly rate: number;
	readonly p99Ms: number;
	/** Resident memory before the load. */
	readonly idleMb: number;
	/** Peak resident memory during the load. */
	readonly loadMb: number;
	/** From the start of the process to its first reply. */
	readonly startMs: number;
	/** The share of the machine's processor time that was in use before the process got its first load. */
	readonly busy: number;
}

export interface Result extends Cell {
	/** One per turn of each round. */
	readonly readings: readonly Reading[];
}

export interface DiskSpace {
	readonly target: string;
	readonly animals: number;
	readonly bytesPerAnimal: number;
}

export type Figure = keyof Reading;

/** All values of a figure in the cells that match. */
export function valuesOf(
	results: readonly Result[],
	where: Partial<Cell>,
	figure: Figure,
): readonly number[] {
	return results
		.filter((result) => matches(result, where))
		.flatMap(({ readings }) => readings.map((reading) => reading[figure]));
}

function matches(cell: Cell, where: Partial<Cell>): boolean {
	return cellKeys.every(
		(key) => where[key] === undefined || where[key] === cell[key],
	);
}

const cellKeys = [
	"section",
	"target",
	"trial",
	"animals",
	"connections",
] as const satisfies readonly (keyof Cell)[];

/** Divides turn by turn: what slowed the machine down during a turn affects both values. */
export function ratiosOf(
	dividends: readonly number[],
	divisors: readonly number[],
): readonly number[] {
	return dividends.slice(0, divisors.length).map((value, turn) => {
		return value / (divisors[turn] ?? Number.NaN);
	});
}

export function median(values: readonly number[]): number {
	const sorted = values.toSorted((a, b) => a - b);
	const upper = sorted[sorted.length >> 1] ?? Number.NaN;
	const lower = sorted[(sorted.length - 1) >> 1] ?? Number.NaN;
	return (lower + upper) / 2;
}
