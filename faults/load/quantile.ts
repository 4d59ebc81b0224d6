/** The value that this share of all values does not exceed. */
export function quantile(values: readonly number[], share: number): number {
	const sorted = values.toSorted((a, b) => a - b);
	return sorted[Math.floor(share * (sorted.length - 1))] ?? 0;
}
