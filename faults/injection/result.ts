// The result of a scenario that compares the database with what the service has acknowledged.
import type { Result } from "../scenario.ts";

export interface Counts {
	readonly acknowledged: number;
	/** Acknowledged, but not in the catalogue at the end. */
	readonly lost: number;
	/** What replies to readers said, and how much of that was gone later. */
	readonly seen?: { readonly facts: number; readonly gone: number };
	/** In the catalogue more than once. */
	readonly doubled?: number;
	/** One sentence per wrong answer. */
	readonly wrong: readonly string[];
	/** For each round, from the end of the cause until the next acknowledgement. */
	readonly recoveriesMs: readonly number[];
}

export function toResult(counts: Counts): Result {
	const { acknowledged, lost, doubled = 0, wrong, recoveriesMs } = counts;
	const { seen } = counts;
	const sorted = recoveriesMs.toSorted((a, b) => a - b);
	const median = sorted[Math.floor(sorted.length / 2)] ?? 0;
	return {
		figures: [
			`${recoveriesMs.length} rounds, ${acknowledged} acknowledged`,
			`${lost} lost, ${doubled} doubled, ${wrong.length} wrong answers`,
			...(seen ? [`${seen.facts} facts seen, ${seen.gone} gone`] : []),
			`recovery ${median.toFixed(0)} ms, at most ${(sorted.at(-1) ?? 0).toFixed(0)} ms`,
		],
		wrong: [
			...(acknowledged === 0 ? ["nothing was acknowledged"] : []),
			...(lost > 0 ? [`${lost} lost`] : []),
			...(seen !== undefined && seen.gone > 0 ? [`${seen.gone} gone`] : []),
			...(doubled > 0 ? [`${doubled} doubled`] : []),
			...wrong,
		],
	};
}

export async function measureMs(work: () => Promise<unknown>): Promise<number> {
	const begun = performance.now();
	await work();
	return performance.now() - begun;
}
