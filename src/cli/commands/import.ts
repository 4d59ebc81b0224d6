// `petstore import`: adds or updates the animals of a file, all of them or none.
import { createReadStream } from "node:fs";
import { addAbortSignal, pipeline, type Readable } from "node:stream";
import { createGunzip } from "node:zlib";
import { Command } from "@commander-js/extra-typings";
import type { Author } from "../../domain/author.ts";
import { OperatorError, toReason } from "../../domain/errors.ts";
import { toCountText, toQuantity } from "../../domain/quantity.ts";
import { toTimeText } from "../../domain/time.ts";
import { problemToText } from "../../formats/problem.ts";
import { maxImportedAnimals } from "../../limits.ts";
import {
	type ImportedFile,
	type ImportTarget,
	importFile,
} from "../../operator/import-file.ts";
import { importFlags } from "../../operator/import-pets.ts";
import { isMissing } from "../../store/database-url.ts";
import type { ImportCounts, ImportReads } from "../../store/import.ts";
import { databaseOption, formatOption, toKind } from "../flags.ts";
import { addFlags, readFlags } from "../resources.ts";
import { createProgress, say } from "../terminal/print.ts";
import { watchInterruption } from "../terminal/signal.ts";
import {
	type DatabaseFlags,
	explainFailure,
	withStore,
	withStoreReader,
} from "../with-store.ts";

export const command = new Command("import")
	.argument("<file>", "NDJSON or CSV file, plain or gzip; - is stdin")
	.addOption(formatOption)
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

addFlags(command, importFlags);

command.action(async (file, { quiet, ...flags }) => {
	const asked = readFlags(importFlags, flags);
	const { format, isGzip } = toKind(file, flags.format);
	const signal = watchInterruption("nothing was imported");
	const imported = await importFile(
		readChunks(file, isGzip, signal),
		{
			...asked,
			format,
			signal,
			maxAnimals: maxImportedAnimals,
			authored: { by: toAuthor(asked), at: Date.now() },
			onProgress: createProgress(quiet),
		},
		toTarget(flags, asked),
	);
	report(imported, asked);
});

interface Asked {
	readonly update: boolean;
	readonly dryRun: boolean;
	readonly importId: string | undefined;
}

function toAuthor({ importId: id }: Asked): Author {
	return id === undefined ? { kind: "command line" } : { kind: "import", id };
}

/** Without --update, a missing database is created, but not by a dry run. */
function toTarget(
	flags: DatabaseFlags,
	{ update, importId }: Asked,
): ImportTarget {
	return {
		read: (use) =>
			!update && isMissing(flags.database)
				? use(ofNewDatabase)
				: withStoreReader(flags, ({ imports }) => use(imports)),
		write: (use) =>
			withStore(flags, ({ imports }) => use(imports), {
				create: !update,
			}).catch(
				explainFailure(
					update ? "the animals were changed" : "the animals were added",
					importId === undefined
						? "look before you import them again"
						: "run the command again: it adds nothing twice",
				),
			),
	};
}

const ofNewDatabase: ImportReads = {
	find: async () => undefined,
	check: async (staged) => ({
		added: staged.count(),
		changed: 0,
		unchanged: 0,
		problems: { count: 0, first: [] },
	}),
};

function report(imported: ImportedFile, asked: Asked): void {
	switch (imported.outcome) {
		case "done":
			sayDone(imported, asked);
			break;
		case "refused": {
			const { count, first } = imported;
			for (const problem of first)
				say(`line ${problem.line}: ${problemToText(problem)}`);
			if (count > first.length)
				say(`and ${toCountText(count - first.length)} more`);
			throw new OperatorError(
				`${toQuantity(count, "error")}; nothing was imported.`,
			);
		}
		case "repeated":
			say(
				`Nothing was done: the import ${asked.importId} finished at ${toTimeText(imported.finishedAt)} with ${toQuantity(imported.animals, "animal")}.`,
			);
			break;
		case "reused":
			throw new OperatorError(
				`The import id ${asked.importId} was used for another file at ${toTimeText(imported.finishedAt)}; choose another one. Nothing was imported.`,
			);
	}
}

function sayDone(
	{ added, changed, unchanged, hasIds }: ImportCounts & { hasIds: boolean },
	{ update, dryRun }: Asked,
): void {
	const [add, change, leave] = dryRun
		? ["Would add", "change", "leave"]
		: ["Added", "changed", "left"];
	const others = update
		? `, ${change} ${toCountText(changed)} and ${leave} ${toCountText(unchanged)} unchanged`
		: "";
	say(`${add} ${toQuantity(added, "animal")}${others}.`);
	if (hasIds && !update)
		say(
			"The ids of the file are ignored; --update changes the animals that have them.",
		);
}

/** The bytes of the file, decompressed if it is a gzip file. */
async function* readChunks(
	file: string,
	isGzip: boolean,
	signal: AbortSignal,
): AsyncGenerator<Uint8Array> {
	const raw: Readable =
		file === "-"
			? process.stdin
			: createReadStream(file, { highWaterMark: chunkBytes });
	const stream = isGzip ? pipeline(raw, createGunzip(), () => {}) : raw;
	try {
		yield* addAbortSignal(signal, stream);
	} catch (error) {
		signal.throwIfAborted();
		const name = file === "-" ? "stdin" : file;
		throw new OperatorError(
			`${name} cannot be read: ${toReason(error)}. Nothing was imported.`,
		);
	}
}

const chunkBytes = 256 * 1024;
