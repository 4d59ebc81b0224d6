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

/** The outcome of one load. */
export interface Reading {
	/** Microseconds of the server's processor time per request. */
	readonly processorUs: number;
	/** Microseconds of the database's own processes per request. NaN if it has none. */
	readonly databaseUs: number;
	/** Requests a second. */
	readonly rate: number;
	readonly p99Ms: number;
	/** The processor time of the server, as a share of the cores that its processes can use. */
	readonly serverShare: number;
	/** The processor time of the load generator, as a share of its core. */
	readonly generatorShare: number;
	/** Whether the hypervisor took the server's core away. Figures by the clock are then left out. */
	readonly isDisturbed: boolean;
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

export type Figure = Exclude<keyof Reading, "isDisturbed">;

/** All values of a figure in the matching cells, with NaN for omitted ones. */
export function valuesOf(
	results: readonly Result[],
	where: Partial<Cell>,
	figure: Figure,
): readonly number[] {
	return results
		.filter((result) => matches(result, where))
		.flatMap(({ readings }) =>
			readings.map((reading) =>
				reading.isDisturbed && byClock.includes(figure)
					? Number.NaN
					: reading[figure],
			),
		);
}

/** Processor time is always valid: Linux counts none while the hypervisor runs something else. */
const byClock: readonly Figure[] = [
	...(["rate", "p99Ms"] as const),
	...(["serverShare", "generatorShare"] as const),
];

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
