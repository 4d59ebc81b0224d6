// `petstore import`: adds or updates the animals of a file, all of them or none. It reads the file into a staging file first.
import { Command } from "@commander-js/extra-typings";
import { toImportId } from "../../../contract/operator/pets/import.ts";
import type { Author } from "../../../domain/author.ts";
import { createSha256 } from "../../../domain/hash.ts";
import { isMissing } from "../../../store/database-url.ts";
import type { ImportMode } from "../../../store/import.ts";
import type { Store, StoreReader } from "../../../store/store.ts";
import {
	databaseOption,
	formatOption,
	refuse,
	requireCsv,
	toKind,
} from "../../flags.ts";
import { createProgress } from "../../terminal/progress.ts";
import { watchInterruption } from "../../terminal/signal.ts";
import {
	explainFailure,
	withStore,
	withStoreReader,
} from "../../with-store.ts";
import { openInput } from "./input.ts";
import { refuseProblems, sayDone, sayDryRun, sayFinished } from "./report.ts";
import { type ImportedFile, type StagedFile, withStaged } from "./staged.ts";

export const command = new Command("import")
	.argument("<file>", "NDJSON or CSV file, plain or gzip; - is stdin")
	.addOption(formatOption)
	.option(
		"--update",
		"change the animals whose ids the file has, add the others",
	)
	.option(
		"--import-id <text>",
		"name of this import: an import with the same name runs only once",
		(text) => toImportId(text) ?? refuse("1 to 128 visible characters"),
	)
	.option("--ignore-unknown", "skip all unknown columns of a CSV file")
	.option("--dry-run", "check the file and import nothing")
	.option("--quiet", "show no progress")
	.addOption(databaseOption)
	.addHelpText(
		"after",
		`
Each line must follow the rules of a new animal. With --update, a line with an
id needs only the members to change. If a line is wrong, nothing is imported,
and errors are listed by line number.

CSV needs a header line with the names of its columns: name, categoryId, and
optionally status and id. With --update, only id is required. With a version, the
animal must still have it. Fields are separated by commas,
semicolons or tabs, as the header line shows.

Examples:
  petstore import animals.csv --dry-run
  petstore import animals.ndjson.gz --import-id monday
  petstore import animals.csv --update --dry-run`,
	);

type ImportFlags = ReturnType<typeof command.opts>;

command.action(async (file, flags) => {
	const { format, ignoreUnknown, update } = flags;
	const kind = toKind(file, format);
	requireCsv(kind.format, { "--ignore-unknown": ignoreUnknown });
	const mode: ImportMode = update ? "update" : "add";
	const signal = watchInterruption("nothing was imported");
	await runImport({ file, ...kind, mode, ignoreUnknown, signal }, flags);
});

async function runImport(
	imported: ImportedFile,
	flags: ImportFlags,
): Promise<void> {
	const { mode } = imported;
	const create = mode !== "update";
	// A missing database is created only when the file has something to add.
	if (isMissing(flags.database) && create)
		return withStaged(imported, flags.quiet, async (staged) => {
			const added = staged.staging.count();
			if (flags.dryRun)
				return sayDryRun({ added, changed: 0, unchanged: 0 }, staged, mode);
			await withStore(flags, (store) => apply(store, staged, imported, flags), {
				create,
			});
		});
	if (flags.dryRun)
		return withStoreReader(flags, async (store) => {
			if (await isFinished(store, imported, flags)) return;
			await withStaged(imported, flags.quiet, async (staged) => {
				const checked = await store.imports.check(staged.staging, mode);
				refuseProblems(checked.problems);
				sayDryRun(checked, staged, mode);
			});
		});
	const importInto = async (store: Store) => {
		if (await isFinished(store, imported, flags)) return;
		await withStaged(imported, flags.quiet, (staged) =>
			apply(store, staged, imported, flags),
		);
	};
	await withStore(flags, importInto, { create });
}

/** Whether the import was already done. Checked before the file is staged, and again in the transaction. */
async function isFinished(
	{ imports }: Pick<StoreReader, "imports">,
	{ file, isGzip, signal }: ImportedFile,
	{ importId }: ImportFlags,
): Promise<boolean> {
	const finished = importId && (await imports.find(importId));
	if (!finished) return false;
	const hash = createSha256();
	for await (const chunk of openInput(file, isGzip, signal).chunks)
		hash.update(chunk);
	const isRepeated = finished.contentHash === hash.digest("hex");
	sayFinished(isRepeated ? "repeated" : "reused", finished, importId);
	return true;
}

async function apply(
	{ imports }: Store,
	staged: StagedFile,
	{ mode, signal }: ImportedFile,
	{ importId, quiet }: ImportFlags,
): Promise<void> {
	const { staging, contentHash } = staged;
	// Writing has its own rate.
	const { show, end } = createProgress(quiet);
	const by: Author =
		importId === undefined
			? { kind: "command line" }
			: { kind: "import", id: importId };
	const imported = await imports
		.write(staging, {
			mode,
			importId,
			contentHash,
			signal,
			authored: { by, at: Date.now() },
			onProgress: (count) => show(count, count / staging.count()),
		})
		.catch(
			explainFailure(
				mode === "update"
					? "the animals were changed"
					: "the animals were added",
				importId === undefined
					? "look before you import them again"
					: "run the command again: it adds nothing twice",
			),
		)
		.finally(end);
	if (imported.outcome === "refused") refuseProblems(imported);
	else if (imported.outcome === "done") sayDone(imported, staged, mode);
	else sayFinished(imported.outcome, imported, importId);
}
