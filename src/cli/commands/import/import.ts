// `petstore import`: adds the animals of a file, all of them or none. It reads the file into a staging file, and then adds all of it.
import { Command } from "@commander-js/extra-typings";
import { OperatorError, StoreFailure } from "../../../domain/errors.ts";
import { isMissing } from "../../../store/database-url.ts";
import type {
	Imported,
	Imports,
	Staging,
	Taken,
} from "../../../store/import.ts";
import { openStaging } from "../../../store/open.ts";
import { databaseOption, formatOption, refuse, toKind } from "../../flags.ts";
import { say } from "../../terminal/print.ts";
import { createTimedProgress, sayWaiting } from "../../terminal/progress.ts";
import { watchInterruption } from "../../terminal/signal.ts";
import { watchCreation, withStore, withStoreReader } from "../../with-store.ts";
import {
	type BadLines,
	createBadLines,
	type ImportedFile,
	stageFile,
} from "./stage.ts";

export const importCommand = new Command("import")
	.description("add the animals of a file, all of them or none")
	.argument("<file>", "NDJSON or CSV, also compressed by gzip; - is stdin")
	.addOption(formatOption)
	.option("--keep-ids", "keep the ids of the file; none may be taken")
	.option(
		"--import-id <text>",
		"names this import: with the same text it is done only once",
		toImportId,
	)
	.option(
		"--skip-bad <file>",
		"add the good lines, and write the bad ones here",
	)
	.option("--dry-run", "check the file and add nothing")
	.option("--quiet", "show no progress")
	.addOption(databaseOption)
	.addHelpText(
		"after",
		`
Each line must follow the rules of a new animal. Errors are listed by line
number, and nothing is added unless --skip-bad is given. CSV needs a header line
with the names of its columns: name, categoryId, and optionally status and id.

Examples:
  petstore import animals.csv --dry-run
  petstore import animals.ndjson.gz --import-id monday
  petstore import animals.csv --skip-bad bad.csv
  petstore export - | petstore import - --keep-ids --database sqlite:new.db`,
	);

type ImportFlags = ReturnType<typeof importCommand.opts>;

importCommand.action(async (file, flags) => {
	const { skipBad } = flags;
	const kind = toKind(file, flags.format);
	if (skipBad === file)
		throw new OperatorError("--skip-bad must name another file.", 2);
	if (skipBad?.endsWith(".gz"))
		throw new OperatorError(
			"--skip-bad must not end in .gz: bad lines are written as they are.",
			2,
		);
	const { signal, ignore } = watchInterruption("nothing was added");
	await runImport({ file, ...kind }, flags, signal).finally(ignore);
});

function toImportId(text: string): string {
	return /^[^\p{C}\p{Z}]{1,128}$/u.test(text)
		? text
		: refuse("1 to 128 visible characters");
}

async function runImport(
	file: ImportedFile,
	flags: ImportFlags,
	signal: AbortSignal,
): Promise<void> {
	const read = (use: UseStaged) => withStaged(file, flags, signal, use);
	if (flags.dryRun) return tryImport(flags, read);
	const sayCreation = watchCreation(flags);
	const open = <Result>(use: (imports: Imports) => Promise<Result>) =>
		withStore(flags, { create: true }, ({ imports }) => use(imports));
	// A database that is not there is created when there is something to add.
	if (isMissing(flags.database))
		await read((staged) =>
			open((imports) => add(imports, staged, flags, signal)),
		);
	else
		await open(async (imports) => {
			if (await isFinished(imports, flags)) return;
			await read((staged) => add(imports, staged, flags, signal));
		});
	sayCreation();
}

/** A dry run opens the database only to read it, if there is one. */
async function tryImport(
	flags: ImportFlags,
	read: (use: UseStaged) => Promise<void>,
): Promise<void> {
	if (isMissing(flags.database))
		return read(async (staged) => sayDryRun(staged));
	await withStoreReader(flags, async ({ imports }) => {
		if (await isFinished(imports, flags)) return;
		await read(async (staged) => {
			if (flags.keepIds) requireFree(await imports.findTaken(staged.staging));
			sayDryRun(staged);
		});
	});
}

interface StagedFile {
	readonly staging: Staging;
	readonly bad: BadLines;
}

type UseStaged = (staged: StagedFile) => Promise<void>;

/** Whether the import was done before. Looked up before the file is read, which may take long, and again in the transaction. */
async function isFinished(
	imports: Pick<Imports, "find">,
	flags: ImportFlags,
): Promise<boolean> {
	const { importId } = flags;
	const finished =
		importId === undefined ? undefined : await imports.find(importId);
	if (finished !== undefined)
		report({ outcome: "repeated", ...finished }, flags, 0);
	return finished !== undefined;
}

/** Reads the file, and then lets `use` have its animals, if no line is bad or bad lines are skipped. */
async function withStaged(
	file: ImportedFile,
	flags: ImportFlags,
	signal: AbortSignal,
	use: UseStaged,
): Promise<void> {
	const { keepIds = false } = flags;
	const progress = createTimedProgress(flags.quiet);
	const staging = await openStaging(keepIds);
	const bad = createBadLines(flags.dryRun ? undefined : flags.skipBad);
	try {
		await stageFile(file, { staging, bad, keepIds, signal, progress });
		bad.finish();
		const count = bad.count();
		if (count > 0 && flags.skipBad === undefined)
			throw new OperatorError(
				`${count} bad line${count === 1 ? "" : "s"}; nothing was added.`,
			);
		progress.end();
		await use({ staging, bad });
	} catch (error) {
		bad.discard();
		throw error;
	} finally {
		progress.end();
		staging.close();
	}
}

async function add(
	imports: Imports,
	{ staging, bad }: StagedFile,
	flags: ImportFlags,
	signal: AbortSignal,
): Promise<void> {
	const { importId, keepIds = false } = flags;
	// Adding has a rate of its own.
	const { show, end } = createTimedProgress(flags.quiet);
	const onProgress = (count: number) => show(count, count / staging.count());
	const imported = await imports
		.write(staging, {
			...{ keepIds, importId, signal, onProgress, onWait: sayWaiting() },
		})
		.catch((error) => {
			throw toImportFailure(error, importId);
		})
		.finally(end);
	report(imported, flags, staging.count());
	if (bad.count() > 0) say(`${bad.count()} bad lines are in ${flags.skipBad}.`);
}

function toImportFailure(error: unknown, importId: string | undefined) {
	if (!(error instanceof StoreFailure)) return error;
	const { cause, wroteNothing } = error;
	const reason = cause instanceof Error ? ` (${cause.message})` : "";
	return new OperatorError(
		wroteNothing
			? `The database cannot answer now, and nothing was added; run the command again${reason}.`
			: `It is not known whether the animals were added${reason}; ${importId === undefined ? "look before you import them again" : "run the command again, which adds nothing twice"}.`,
	);
}

/** Says what was done. Throws if ids are taken. */
function report(imported: Imported, flags: ImportFlags, count: number): void {
	if (imported.outcome === "taken") requireFree(imported);
	else
		say(
			imported.outcome === "added"
				? `Added ${toAnimals(count)}.`
				: `Nothing was added: the import ${flags.importId} was done at ${new Date(imported.finishedAt).toISOString()} and has added ${toAnimals(imported.animals)}.`,
		);
}

function requireFree({ count, first }: Taken): void {
	if (count === 0) return;
	for (const { line, id, isRemoved } of first)
		say(
			isRemoved
				? `line ${line}: id ${id} belonged to an animal that was removed.`
				: `line ${line}: id ${id} is taken.`,
		);
	if (count > first.length) say(`and ${count - first.length} more`);
	throw new OperatorError(
		`${count} id${count === 1 ? "" : "s"} cannot be kept; nothing was added.`,
	);
}

function sayDryRun({ staging, bad }: StagedFile): void {
	const skipped =
		bad.count() > 0 ? ` ${bad.count()} bad lines would be skipped.` : "";
	say(`${toAnimals(staging.count())} would be added.${skipped}`);
}

function toAnimals(count: number): string {
	return `${count} animal${count === 1 ? "" : "s"}`;
}
