// Runs an import: reads the file into a staging file, and then adds all of it to the database.
import { OperatorError, StoreFailure } from "../../contract/errors.ts";
import { maxInt64 } from "../../contract/json.ts";
import type { Imported, Imports, Staging, Taken } from "../../store/import.ts";
import { isMissing, openStaging } from "../../store/open.ts";
import { say } from "../print.ts";
import { createTimedProgress, type TimedProgress } from "../progress.ts";
import { watchCreation, withStore, withStoreReader } from "../with-store.ts";
import { type BadLines, createBadLines } from "./bad-lines.ts";
import type { ImportedFile, ImportFlags } from "./options.ts";
import { stageFile } from "./stage.ts";

export async function runImport(
	file: ImportedFile,
	flags: ImportFlags,
	signal: AbortSignal,
): Promise<void> {
	const run = (imports: Partial<Imports>) =>
		runWith(imports, file, flags, signal);
	const sayCreation = watchCreation(flags);
	if (isMissing(flags.database)) await run(toNewDatabase(flags));
	else if (flags.dryRun)
		await withStoreReader(flags, ({ imports }) => run(imports));
	else await withStore(flags, { create: true }, ({ imports }) => run(imports));
	if (!flags.dryRun) sayCreation();
}

/** A database that is not there holds nothing. It is created when there is something to add, and never by a dry run. */
function toNewDatabase(flags: ImportFlags): Partial<Imports> {
	if (flags.dryRun) return {};
	return {
		write: (staging, options) =>
			withStore(flags, { create: true }, ({ imports }) =>
				imports.write(staging, options),
			),
	};
}

/** `imports` has no `write` for a dry run. */
async function runWith(
	imports: Partial<Imports>,
	file: ImportedFile,
	flags: ImportFlags,
	signal: AbortSignal,
): Promise<void> {
	const { importId, keepIds = false } = flags;
	// Before the file is read, which may take long; it is looked up again in the transaction.
	const finished =
		importId === undefined ? undefined : await imports.find?.(importId);
	if (finished !== undefined)
		return report({ outcome: "repeated", ...finished }, flags, 0);
	let progress = createTimedProgress(flags.quiet);
	const staging = await openStaging(keepIds);
	const bad = createBadLines(flags.dryRun ? undefined : flags.skipBad);
	try {
		await stageFile(file, { staging, bad, keepIds, signal, progress });
		requireGood(bad, flags);
		if (imports.write === undefined)
			return await reportDryRun(imports, staging, bad, flags);
		progress.end();
		// Adding has a rate of its own.
		progress = createTimedProgress(flags.quiet);
		const imported = await write(
			imports.write,
			staging,
			flags,
			signal,
			progress,
		);
		progress.end();
		report(imported, flags, staging.count());
		sayRest(staging, bad, flags);
	} catch (error) {
		bad.discard();
		throw error;
	} finally {
		progress.end();
		staging.close();
	}
}

function requireGood(bad: BadLines, { skipBad }: ImportFlags): void {
	bad.finish();
	const count = bad.count();
	if (count > 0 && skipBad === undefined)
		throw new OperatorError(
			`${count} bad line${count === 1 ? "" : "s"}; nothing was added.`,
		);
}

async function write(
	add: Imports["write"],
	staging: Staging,
	{ keepIds, importId }: ImportFlags,
	signal: AbortSignal,
	{ show }: TimedProgress,
): Promise<Imported> {
	const onProgress = (count: number) => show(count, count / staging.count());
	try {
		return await add(staging, {
			keepIds: keepIds === true,
			importId,
			signal,
			onProgress,
		});
	} catch (error) {
		if (!(error instanceof StoreFailure)) throw error;
		const reason =
			error.cause instanceof Error ? ` (${error.cause.message})` : "";
		throw new OperatorError(
			error.wroteNothing
				? `The database cannot answer now, and nothing was added; run the command again${reason}.`
				: `It is not known whether the animals were added${reason}; ${importId === undefined ? "look before you import them again" : "run the command again, which adds nothing twice"}.`,
		);
	}
}

/** Says what was done. Throws if ids are taken. */
function report(imported: Imported, flags: ImportFlags, count: number): void {
	if (imported.outcome === "taken") throw toTakenError(imported);
	say(
		imported.outcome === "added"
			? `Added ${toAnimals(count)}.`
			: `Nothing was added: the import ${flags.importId} was done at ${new Date(imported.finishedAt).toISOString()} and has added ${toAnimals(imported.animals)}.`,
	);
}

function toTakenError({ count, first }: Taken): OperatorError {
	for (const { line, id, isRemoved } of first)
		say(
			isRemoved
				? `line ${line}: id ${id} belonged to an animal that was removed.`
				: `line ${line}: id ${id} is taken.`,
		);
	if (count > first.length) say(`and ${count - first.length} more`);
	return new OperatorError(
		`${count} id${count === 1 ? "" : "s"} cannot be kept; nothing was added.`,
	);
}

async function reportDryRun(
	imports: Partial<Imports>,
	staging: Staging,
	bad: BadLines,
	{ keepIds }: ImportFlags,
): Promise<void> {
	const taken = keepIds ? await imports.findTaken?.(staging) : undefined;
	if (taken !== undefined && taken.count > 0) throw toTakenError(taken);
	const skipped =
		bad.count() > 0 ? ` ${bad.count()} bad lines would be skipped.` : "";
	say(`${toAnimals(staging.count())} would be added.${skipped}`);
}

function sayRest(staging: Staging, bad: BadLines, flags: ImportFlags): void {
	if (bad.count() > 0) say(`${bad.count()} bad lines are in ${flags.skipBad}.`);
	if (staging.ids()?.max === maxInt64)
		say(`No further animal can be added: ${maxInt64} is the last id there is.`);
}

function toAnimals(count: number): string {
	return `${count} animal${count === 1 ? "" : "s"}`;
}
