// `petstore import`: adds or updates the animals of a file, all of them or none. It reads the file into a staging file first.
import { Command } from "@commander-js/extra-typings";
import { toImportId } from "../../../contract/operator/pets/import.ts";
import { OperatorError } from "../../../domain/errors.ts";
import { createSha256 } from "../../../domain/hash.ts";
import type { IgnoredColumns } from "../../../formats/columns.ts";
import { isMissing } from "../../../store/database-url.ts";
import {
	type ImportCounts,
	type ImportMode,
	type Imports,
	isSame,
} from "../../../store/import.ts";
import { openStaging } from "../../../store/open.ts";
import {
	databaseOption,
	formatOption,
	refuse,
	requireCsv,
	separatorOption,
	toKind,
} from "../../flags.ts";
import { say } from "../../terminal/print.ts";
import { createProgress, sayWaiting } from "../../terminal/progress.ts";
import { watchInterruption } from "../../terminal/signal.ts";
import { toQuantity } from "../../terminal/table.ts";
import {
	explainFailure,
	withStore,
	withStoreReader,
} from "../../with-store.ts";
import { openBadLines } from "./bad-lines.ts";
import { openInput } from "./input.ts";
import {
	nothingDone,
	refuseProblems,
	refuseReused,
	type StagedFile,
	sayDone,
	sayDryRun,
	sayRepeated,
} from "./report.ts";
import { type ImportedFile, stageFile } from "./stage.ts";

export const command = new Command("import")
	.argument("<file>", "NDJSON or CSV file, plain or gzip; - is stdin")
	.addOption(formatOption)
	.option("--keep-ids", "keep the ids of the file; all must be free")
	.option(
		"--update",
		"change the animals whose ids the file has, add the others",
	)
	.option(
		"--import-id <text>",
		"name of this import: an import with the same name runs only once",
		readImportId,
	)
	.option(
		"--skip-bad <file>",
		"add the good lines and write the bad ones to this file",
	)
	.addOption(separatorOption)
	.option(
		"--ignore-columns <names>",
		"skip these columns of a CSV file",
		(text) => text.split(","),
	)
	.option("--ignore-unknown", "skip all unknown columns of a CSV file")
	.option("--dry-run", "check the file and add nothing")
	.option("--quiet", "show no progress")
	.addOption(databaseOption)
	.addHelpText(
		"after",
		`
Each line must follow the rules of a new animal. Errors are listed by line
number, and nothing is added unless --skip-bad is given. CSV needs a header line
with the names of its columns: name, categoryId, and optionally status and id.
Fields are separated by commas, semicolons or tabs, as the header line shows.

Examples:
  petstore import animals.csv --dry-run
  petstore import animals.ndjson.gz --import-id monday
  petstore import animals.csv --skip-bad bad.csv
  petstore import animals.csv --update --dry-run
  petstore export - | petstore import - --keep-ids --database sqlite:new.db`,
	);

type ImportFlags = ReturnType<typeof command.opts>;

command.action(async (file, flags) => {
	const { skipBad } = flags;
	const kind = toKind(file, flags.format);
	requireCsv(kind.format, {
		"--separator": flags.separator,
		"--ignore-columns": flags.ignoreColumns,
		"--ignore-unknown": flags.ignoreUnknown,
	});
	const mode = toMode(flags);
	if (skipBad === file)
		throw new OperatorError("--skip-bad must name another file.", 2);
	if (skipBad?.endsWith(".gz"))
		throw new OperatorError(
			"--skip-bad must not end in .gz: bad lines are written as they are.",
			2,
		);
	const { signal, ignore } = watchInterruption("nothing was added");
	const { separator } = flags;
	const all = flags.ignoreUnknown ? "unknown" : undefined;
	const ignored: IgnoredColumns | undefined = all ?? flags.ignoreColumns;
	const read = { ...kind, mode, separator, ignored };
	await runImport({ file, ...read }, flags, signal).finally(ignore);
});

function toMode({ update, keepIds, skipBad }: ImportFlags): ImportMode {
	if (!update) return keepIds ? "keep ids" : "add";
	const other = keepIds ? "--keep-ids" : skipBad && "--skip-bad";
	if (other === undefined) return "update";
	throw new OperatorError(`--update and ${other} exclude each other.`, 2);
}

function readImportId(text: string): string {
	return toImportId(text) ?? refuse("1 to 128 visible characters");
}

async function runImport(
	file: ImportedFile,
	flags: ImportFlags,
	signal: AbortSignal,
): Promise<void> {
	const read = (use: UseStaged) => withStaged(file, flags, signal, use);
	const { mode } = file;
	const write = (use: (imports: Imports) => Promise<void>) =>
		withStore(flags, ({ imports }) => use(imports), {
			create: mode !== "update",
		});
	const { dryRun } = flags;
	// A missing database is created only when the file has something to add.
	if (isMissing(flags.database) && mode !== "update")
		return read(async (staged) =>
			dryRun
				? sayDryRun(staged, mode, toAllAdded(staged))
				: write((imports) => apply(imports, staged, file, flags, signal)),
		);
	if (!dryRun)
		return write(async (imports) => {
			if (await isFinished(imports, file, flags, signal)) return;
			await read((staged) => apply(imports, staged, file, flags, signal));
		});
	await withStoreReader(flags, async ({ imports }) => {
		if (await isFinished(imports, file, flags, signal)) return;
		await read(async (staged) => {
			const { problems, ...counts } = await imports.check(staged.staging, mode);
			refuseProblems(problems, mode);
			sayDryRun(staged, mode, counts);
		});
	});
}

function toAllAdded({ staging }: StagedFile): ImportCounts {
	return { added: staging.count(), changed: 0, unchanged: 0 };
}

type UseStaged = (staged: StagedFile) => Promise<void>;

/** Whether the import was done before. Looked up before the file is staged, and again in the transaction. */
async function isFinished(
	imports: Pick<Imports, "find">,
	{ file, isGzip }: ImportedFile,
	{ importId }: ImportFlags,
	signal: AbortSignal,
): Promise<boolean> {
	if (importId === undefined) return false;
	const finished = await imports.find(importId);
	if (finished === undefined) return false;
	const hash = createSha256();
	for await (const chunk of openInput(file, isGzip, signal).chunks)
		hash.update(chunk);
	if (!isSame(finished, hash.digest("hex"))) refuseReused(finished, importId);
	sayRepeated(finished, importId);
	return true;
}

/** Reads the file, and then lets `use` have its animals, if no line is bad or bad lines are skipped. */
async function withStaged(
	file: ImportedFile,
	flags: ImportFlags,
	signal: AbortSignal,
	use: UseStaged,
): Promise<void> {
	const progress = createProgress(flags.quiet);
	const path = flags.dryRun ? undefined : flags.skipBad;
	const bad = openBadLines(path, file.format);
	const staging = await openStaging(file.mode).catch((error) => {
		bad.discard();
		throw error;
	});
	try {
		const options = { staging, bad, signal, progress };
		const result = await stageFile(file, options);
		bad.finish();
		if (bad.count() > 0 && flags.skipBad === undefined)
			throw new OperatorError(
				`${toQuantity(bad.count(), "bad line")}; ${nothingDone(file.mode)}.`,
			);
		progress.end();
		await use({ staging, bad, ...result });
	} catch (error) {
		bad.discard();
		throw error;
	} finally {
		progress.end();
		staging.close();
	}
}

async function apply(
	imports: Imports,
	staged: StagedFile,
	{ mode }: ImportedFile,
	flags: ImportFlags,
	signal: AbortSignal,
): Promise<void> {
	const { staging, bad, contentHash } = staged;
	const { importId } = flags;
	// Writing has a rate of its own.
	const { show, end } = createProgress(flags.quiet);
	const onProgress = (count: number) => show(count, count / staging.count());
	const once = { importId, contentHash };
	const by =
		importId === undefined
			? ({ kind: "command line" } as const)
			: ({ kind: "import", id: importId } as const);
	const authored = { by, at: Date.now() };
	const options = { mode, ...once, authored, signal, onProgress };
	const imported = await imports
		.write(staging, { ...options, onWait: sayWaiting() })
		.catch(
			explainFailure(
				mode === "update"
					? "the animals were changed"
					: "the animals were added",
				importId === undefined
					? "look before you import them again"
					: "run the command again, which adds nothing twice",
			),
		)
		.finally(end);
	if (imported.outcome === "refused") refuseProblems(imported, mode);
	else if (imported.outcome === "repeated") sayRepeated(imported, importId);
	else if (imported.outcome === "reused") refuseReused(imported, importId);
	else if (imported.outcome === "done") sayDone(imported, staged, mode);
	if (bad.count() > 0)
		say(`${toQuantity(bad.count(), "bad line")} written to ${flags.skipBad}.`);
}
