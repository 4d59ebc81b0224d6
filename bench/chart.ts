// Requests a second as bars of text.
import { median, type Result, valuesOf } from "./results.ts";

const width = 30;

/** A group of bars for each trial, a bar for each target that was measured. */
export function toChart(
	results: readonly Result[],
	trials: readonly string[],
	targets: readonly string[],
	where: { animals: number; connections: number },
): string {
	return trials
		.map((trial) => {
			const bars = targets
				.map((target) => ({
					target,
					rate: median(valuesOf(results, { ...where, trial, target }, "rate")),
				}))
				.filter(({ rate }) => !Number.isNaN(rate));
			return [trial, ...toBars(bars)].join("\n");
		})
		.join("\n\n");
}

function toBars(bars: readonly { target: string; rate: number }[]): string[] {
	const most = Math.max(...bars.map(({ rate }) => rate));
	const longest = Math.max(...bars.map(({ target }) => target.length));
	return bars.map(({ target, rate }) => {
		const bar = "█".repeat(Math.max(1, Math.round((rate / most) * width)));
		const count = Math.round(rate).toLocaleString("en").padStart(7);
		return `  ${target.padEnd(longest)} ${count}  ${bar}`;
	});
}
