// `petstore import`: adds or updates the animals of a file, all of them or none.
import { Command } from "@commander-js/extra-typings";
import { toImportId } from "../../contract/operator/pets/import.ts";
import type { Author } from "../../domain/author.ts";
import { OperatorError } from "../../domain/errors.ts";
import { toCountText, toQuantity } from "../../domain/quantity.ts";
import { toTimeText } from "../../domain/time.ts";
import { isMissing } from "../../store/database-url.ts";
import type {
	FinishedImport,
	ImportCounts,
	ImportMode,
} from "../../store/import.ts";
import type { Store, StoreReader } from "../../store/store.ts";
import {
	databaseOption,
	formatOption,
	refuse,
	requireCsv,
	toKind,
} from "../flags.ts";
import { createProgress, say } from "../terminal/print.ts";
import { watchInterruption } from "../terminal/signal.ts";
import { explainFailure, withStore, withStoreReader } from "../with-store.ts";
import {
	type ImportedFile,
	refuseProblems,
	type StagedFile,
	withStaged,
} from "./staged-file.ts";

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
optionally status and id. With --update, only id is required; an animal must
still have its version, if the line has one. Fields are separated by commas,
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
	const create = imported.mode === "add";
	await withStaged(imported, flags.quiet, async (staged) => {
		if (!flags.dryRun)
			return withStore(
				flags,
				(store) => apply(store, staged, imported, flags),
				{
					create,
				},
			);
		if (create && isMissing(flags.database)) {
			const added = staged.staging.count();
			return sayDryRun({ added, changed: 0, unchanged: 0 }, staged, imported);
		}
		await withStoreReader(flags, (store) =>
			check(store, staged, imported, flags),
		);
	});
}

async function apply(
	{ imports }: Store,
	staged: StagedFile,
	{ mode, signal }: ImportedFile,
	{ importId, quiet }: ImportFlags,
): Promise<void> {
	const { staging, contentHash } = staged;
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
			onProgress: createProgress(quiet),
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
		);
	if (imported.outcome === "refused") return refuseProblems(imported);
	if (imported.outcome !== "done")
		return sayFinished(imported.outcome, imported, importId);
	const { added, changed, unchanged } = imported;
	const others =
		mode === "update"
			? `, changed ${toCountText(changed)} and left ${toCountText(unchanged)} unchanged`
			: "";
	say(`Added ${toQuantity(added, "animal")}${others}.`);
	if (staged.hasIds && mode === "add") say(ignoredIds);
}

async function check(
	{ imports }: StoreReader,
	staged: StagedFile,
	imported: ImportedFile,
	{ importId }: ImportFlags,
): Promise<void> {
	const { staging, contentHash } = staged;
	const finished = importId && (await imports.find(importId));
	if (finished) {
		const isRepeated = finished.contentHash === contentHash;
		return sayFinished(isRepeated ? "repeated" : "reused", finished, importId);
	}
	const checked = await imports.check(staging, imported.mode);
	refuseProblems(checked.problems);
	sayDryRun(checked, staged, imported);
}

function sayDryRun(
	{ added, changed, unchanged }: ImportCounts,
	{ hasIds }: StagedFile,
	{ mode }: ImportedFile,
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
function sayFinished(
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
