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
	{ hasIds }: { readonly hasIds: boolean },
	mode: ImportMode,
): void {
	const others =
		mode === "update"
			? `, ${toCountText(changed)} changed and ${toCountText(unchanged)} left unchanged`
			: "";
	say(`${toQuantity(added, "animal")} would be added${others}.`);
	if (hasIds && mode === "add") say(ignoredIds);
}

const ignoredIds =
	"The ids of the file are ignored; --update changes the animals that have them.";

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

/** Throws if a line is bad. */
export function refuseProblems({ count, first }: ImportProblems): void {
	if (count === 0) return;
	for (const problem of first)
		say(`line ${problem.line}: ${problemToText(problem)}`);
	if (count > first.length)
		say(`and ${toCountText(count - first.length)} more`);
	throw new OperatorError(
		`${toQuantity(count, "error")}; nothing was imported.`,
	);
}
