// What `petstore import` says at its end, and the sentences that it refuses a file with.
import { OperatorError } from "../../../domain/errors.ts";
import { toTimeText } from "../../../domain/time.ts";
import { problemToText } from "../../../formats/problem.ts";
import type {
	FinishedImport,
	ImportCounts,
	ImportMode,
	ImportProblems,
	Staging,
} from "../../../store/import.ts";
import { say } from "../../terminal/print.ts";
import { toCountText, toQuantity } from "../../terminal/table.ts";
import type { BadLines } from "./bad-lines.ts";

export interface StagedFile {
	readonly staging: Staging;
	readonly bad: BadLines;
	readonly contentHash: string;
	readonly hasIds: boolean;
}

export function sayDone(
	{ added, changed, unchanged }: ImportCounts,
	staged: StagedFile,
	mode: ImportMode,
): void {
	const others =
		mode === "update"
			? `, changed ${toCountText(changed)} and left ${toCountText(unchanged)} unchanged`
			: "";
	say(`Added ${toQuantity(added, "animal")}${others}.`);
	sayIgnoredIds(staged, mode);
}

export function nothingDone(mode: ImportMode): string {
	return mode === "update" ? "nothing was changed" : "nothing was added";
}

function sayIgnoredIds({ hasIds }: StagedFile, mode: ImportMode): void {
	if (hasIds && mode === "add")
		say(
			"The ids of the file are ignored; --keep-ids keeps them, and --update changes the animals that have them.",
		);
}

export function sayRepeated(
	{ animals, finishedAt }: FinishedImport,
	importId: string | undefined,
): void {
	say(
		`Nothing was added: the import ${importId} was done at ${toTimeText(finishedAt)} and has added ${toQuantity(animals, "animal")}.`,
	);
}

export function refuseReused(
	{ finishedAt }: FinishedImport,
	importId: string | undefined,
): never {
	throw new OperatorError(
		`The import id ${importId} was used for another file at ${toTimeText(finishedAt)}; choose another one. Nothing was added.`,
	);
}

/** Throws if there are problems. */
export function refuseProblems(
	{ count, first }: ImportProblems,
	mode: ImportMode,
): void {
	if (count === 0) return;
	for (const problem of first)
		say(`line ${problem.line}: ${problemToText(problem)}`);
	if (count > first.length) say(`and ${count - first.length} more`);
	throw new OperatorError(
		`${toQuantity(count, "bad line")}; ${nothingDone(mode)}.`,
	);
}

export function sayDryRun(
	staged: StagedFile,
	mode: ImportMode,
	{ added, changed, unchanged }: ImportCounts,
): void {
	const bad = staged.bad.count();
	const skipped =
		bad > 0 ? ` ${toQuantity(bad, "bad line")} would be skipped.` : "";
	const others =
		mode === "update"
			? `, ${toCountText(changed)} changed and ${toCountText(unchanged)} left unchanged`
			: "";
	say(`${toQuantity(added, "animal")} would be added${others}.${skipped}`);
	sayIgnoredIds(staged, mode);
}
