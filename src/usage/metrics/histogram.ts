// A histogram: how many values are up to each bound, and their sum.

export interface Histogram {
	readonly observe: (value: number) => void;
	/** One number for each bound, one for the values above all of them, and the sum of the values. */
	readonly read: () => readonly number[];
}

export function createHistogram(bounds: readonly number[]): Histogram {
	const numbers = new Float64Array(bounds.length + 2);
	const last = bounds.length + 1;
	return {
		observe(value) {
			let index = 0;
			while (value > (bounds[index] ?? Number.POSITIVE_INFINITY)) index++;
			numbers[index] = (numbers[index] ?? 0) + 1;
			numbers[last] = (numbers[last] ?? 0) + value;
		},
		read: () => [...numbers],
	};
}
