// The final report of `petstore import`, and its refusals of a file.
import { OperatorError } from "../../../domain/errors.ts";
import { toCountText, toQuantity } from "../../../domain/quantity.ts";
import { toTimeText } from "../../../domain/time.ts";
import { problemToText } from "../../../formats/problem.ts";
import type {
	FinishedImport,
	ImportCounts,
	ImportMode,
	ImportProblems,
} from "../../../store/import.ts";
import { say } from "../../terminal/print.ts";
import type { BadLines } from "./bad-lines.ts";

export function sayDone(
	{ added, changed, unchanged }: ImportCounts,
	{ hasIds }: { readonly hasIds: boolean },
	mode: ImportMode,
): void {
	const others =
		mode === "update"
			? `, changed ${toCountText(changed)} and left ${toCountText(unchanged)} unchanged`
			: "";
	say(`Added ${toQuantity(added, "animal")}${others}.`);
	if (hasIds && mode === "add") say(ignoredIds);
}

export function sayDryRun(
	{ added, changed, unchanged }: ImportCounts,
	{ hasIds, bad }: { readonly hasIds: boolean; readonly bad: BadLines },
	mode: ImportMode,
): void {
	const others =
		mode === "update"
			? `, ${toCountText(changed)} changed and ${toCountText(unchanged)} left unchanged`
			: "";
	const skipped =
		bad.count() > 0
			? ` ${toQuantity(bad.count(), "bad line")} would be skipped.`
			: "";
	say(`${toQuantity(added, "animal")} would be added${others}.${skipped}`);
	if (hasIds && mode === "add") say(ignoredIds);
}

const ignoredIds =
	"The ids of the file are ignored; --keep-ids keeps them, and --update changes the animals that have them.";

/** Reports an import that was already done. Refuses an id that was used for another file. */
export function sayFinished(
	outcome: "repeated" | "reused",
	{ animals, finishedAt }: FinishedImport,
	importId: string | undefined,
): void {
	const time = toTimeText(finishedAt);
	if (outcome === "reused")
		throw new OperatorError(
			`The import id ${importId} was used for another file at ${time}; choose another one. Nothing was imported.`,
		);
	say(
		`Nothing was done: the import ${importId} finished at ${time} with ${toQuantity(animals, "animal")}.`,
	);
}

/** Throws if the database refuses lines. */
export function refuseProblems({ count, first }: ImportProblems): void {
	for (const problem of first)
		say(`line ${problem.line}: ${problemToText(problem)}`);
	if (count > first.length)
		say(`and ${toCountText(count - first.length)} more`);
	refuseLines(count);
}

/** Throws if a line is bad. */
export function refuseLines(count: number): void {
	if (count === 0) return;
	throw new OperatorError(
		`${toQuantity(count, "bad line")}; nothing was imported.`,
	);
}
