// What a scenario counts, and whether it may stand.

export interface Tally {
	readonly rounds: number;
	readonly acknowledged: number;
	/** Acknowledged, and not there at the end. */
	readonly lost: number;
	/** There more than once. */
	readonly doubled: number;
	/** A sentence for each. */
	readonly wrong: readonly string[];
	/** For each round: from the moment the cause was gone until the next acknowledgement. */
	readonly recoveriesMs: readonly number[];
}

export function isClean({ lost, doubled, wrong }: Tally): boolean {
	return lost === 0 && doubled === 0 && wrong.length === 0;
}

/** In words, such as "3 lost, 1 wrong answer". */
export function toFindings({ lost, doubled, wrong }: Tally): string {
	const found = [
		lost > 0 && `${lost} lost`,
		doubled > 0 && `${doubled} doubled`,
		wrong.length > 0 &&
			`${wrong.length} wrong answer${wrong.length === 1 ? "" : "s"}`,
	];
	return found.filter(Boolean).join(", ") || "nothing";
}

/** Median and longest, in milliseconds. */
export function toRecovery({ recoveriesMs }: Tally): string {
	const sorted = recoveriesMs.toSorted((a, b) => a - b);
	const median = sorted[Math.floor(sorted.length / 2)] ?? 0;
	return `${median.toFixed(0)} ms (at most ${(sorted.at(-1) ?? 0).toFixed(0)} ms)`;
}
