// Counts the cases by outcome.
import type { Result } from "./run.ts";

export function count(
	results: readonly Result[],
): Record<Result["outcome"], number> {
	const of = (outcome: Result["outcome"]) =>
		results.filter((result) => result.outcome === outcome).length;
	return { passed: of("passed"), failed: of("failed"), skipped: of("skipped") };
}

export function toCounts(results: readonly Result[]): string {
	const { passed, failed, skipped } = count(results);
	return `${passed} passed, ${failed} failed, ${skipped} skipped`;
}
