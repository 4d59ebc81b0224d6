// The scale of a chart's values: from zero to a round number above the largest value.

export interface Scale {
	readonly top: number;
	/** From zero to the top, at equal distances. */
	readonly ticks: readonly number[];
}

export function toScale(values: readonly (number | undefined)[]): Scale {
	const largest = Math.max(0, ...values.map((value) => value ?? 0));
	const step = toStep(largest / 3);
	const count = Math.max(1, Math.ceil(largest / step - 1e-9));
	const ticks = Array.from({ length: count + 1 }, (_, index) => index * step);
	return { top: count * step, ticks };
}

/** The next of 1, 2, 2.5, 5 and 10 times a power of ten. */
function toStep(least: number): number {
	if (least <= 0) return 1;
	const power = 10 ** Math.floor(Math.log10(least));
	const factor = [1, 2, 2.5, 5].find((one) => one * power >= least) ?? 10;
	return factor * power;
}
