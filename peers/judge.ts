// Connects the failures of a server with their causes, which people have written.
import { count } from "../conformance/outcomes.ts";
import type { Result } from "../conformance/run.ts";

export interface Cause {
	/** One or more whole sentences. */
	readonly text: string;
	/** Matches the failures that it explains, each as its title and its first problems on one line. */
	readonly failures: RegExp;
}

export interface Verdict {
	readonly passed: number;
	readonly failed: number;
	/** The causes in their order, with the number of failures that each explains. */
	readonly causes: readonly { readonly text: string; readonly count: number }[];
	/** Every failure, with its cause on a second line. */
	readonly failures: readonly string[];
	/** Unexplained failures, unused causes. */
	readonly problems: readonly string[];
}

/** A failure belongs to the first cause that explains it. */
export function judge(
	results: readonly Result[],
	causes: readonly Cause[],
): Verdict {
	const lines = results.flatMap(toLine);
	const { passed, failed } = count(results);
	const causeOf = (line: string) =>
		causes.find(({ failures }) => failures.test(line));
	const counted = causes.map((cause) => ({
		text: cause.text,
		count: lines.filter((line) => causeOf(line) === cause).length,
	}));
	return {
		...{ passed, failed },
		causes: counted,
		failures: lines.map(
			(line) => `${line}\n    ${causeOf(line)?.text ?? "no cause"}`,
		),
		problems: [
			...lines
				.filter((line) => causeOf(line) === undefined)
				.map((line) => `no cause explains: ${line}`),
			...counted
				.filter(({ count }) => count === 0)
				.map(({ text }) => `no failure has the cause: ${text}`),
		],
	};
}

function toLine({ case: one, failure }: Result): string[] {
	if (failure === undefined) return [];
	// The later problems of a list are about its animals, and can be hundreds.
	return [`${one.name}: ${failure.problems.slice(0, 3).join("; ")}`];
}
