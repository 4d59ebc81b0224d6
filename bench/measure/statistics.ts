// Median, middle half and ratios of readings. A reading that was left out is NaN, and so are its ratios.

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
	const sorted = sort(values);
	const upper = sorted[sorted.length >> 1] ?? Number.NaN;
	const lower = sorted[(sorted.length - 1) >> 1] ?? Number.NaN;
	return (lower + upper) / 2;
}

/** The bounds of the middle half of all values. */
export function middleHalf(values: readonly number[]): [number, number] {
	const sorted = sort(values);
	const quarter = sorted.length / 4;
	const low = sorted[Math.floor(quarter)] ?? Number.NaN;
	const high = sorted[Math.ceil(3 * quarter) - 1] ?? Number.NaN;
	return [low, high];
}

function sort(values: readonly number[]): number[] {
	return values.filter(Number.isFinite).toSorted((a, b) => a - b);
}
