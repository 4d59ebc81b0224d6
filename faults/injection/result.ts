// The counts of a fault scenario, and their text.

export interface ScenarioResult {
	readonly rounds: number;
	readonly acknowledged: number;
	/** Acknowledged, but not in the catalogue at the end. */
	readonly lost: number;
	/** In the catalogue more than once. */
	readonly doubled: number;
	/** One sentence per wrong answer. */
	readonly wrong: readonly string[];
	/** For each round, from the end of the cause until the next acknowledgement. */
	readonly recoveriesMs: readonly number[];
}

export function isClean({ lost, doubled, wrong }: ScenarioResult): boolean {
	return lost === 0 && doubled === 0 && wrong.length === 0;
}

/** In words: "3 lost, 1 wrong answer". */
export function toFindings({ lost, doubled, wrong }: ScenarioResult): string {
	const found = [
		lost > 0 && `${lost} lost`,
		doubled > 0 && `${doubled} doubled`,
		wrong.length > 0 &&
			`${wrong.length} wrong answer${wrong.length === 1 ? "" : "s"}`,
	];
	return found.filter(Boolean).join(", ") || "nothing";
}

/** Median and longest, in milliseconds. */
export function toRecovery({ recoveriesMs }: ScenarioResult): string {
	const sorted = recoveriesMs.toSorted((a, b) => a - b);
	const median = sorted[Math.floor(sorted.length / 2)] ?? 0;
	return `${median.toFixed(0)} ms (at most ${(sorted.at(-1) ?? 0).toFixed(0)} ms)`;
}
