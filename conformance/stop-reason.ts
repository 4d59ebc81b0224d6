// Why a run stops before its last case: all further cases would fail for the same reason.
import { isAdd } from "./added-animals.ts";
import type { Target } from "./request.ts";
import type { Result } from "./run.ts";

/** Returns a sentence that says what to change, or undefined if the next case can run. */
export function toStopReason(
	results: readonly Result[],
	{ baseUrl }: Target,
): string | undefined {
	if (cannotAdd(results))
		return "The key of --key cannot add animals; give a key with the scope read-write.";
	if (results.at(-1)?.failure?.reply?.status === 429)
		return `${baseUrl} answers 429 in case ${results.length}: the rate limit of this key is used up. Raise the limit, or run fewer cases with --only.`;
	return undefined;
}

/** Whether the last case failed because its key may not add animals. If an earlier case added one, the 403 has another reason. */
function cannotAdd(results: readonly Result[]): boolean {
	const failure = results.at(-1)?.failure;
	if (failure?.reply?.status !== 403 || failure.step.expect.status !== 201)
		return false;
	return !results.some(
		({ case: one, outcome }) => outcome === "passed" && one.steps.some(isAdd),
	);
}
