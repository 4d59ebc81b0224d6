// `petstore import`: adds or updates the animals of a file, all of them or none.
import { createReadStream } from "node:fs";
import { addAbortSignal, pipeline, type Readable } from "node:stream";
import { createGunzip } from "node:zlib";
import { byCommandLine } from "../../domain/author.ts";
import { OperatorError, toReason } from "../../domain/errors.ts";
import { toFileKind } from "../../domain/file-format.ts";
import { toCountText, toQuantity } from "../../domain/quantity.ts";
import { toTimeText } from "../../domain/time.ts";
import type { ValuesOf } from "../../domain/type.ts";
import { columnNames } from "../../formats/columns.ts";
import { newPets, updates } from "../../formats/pet.ts";
import { problemToText } from "../../formats/problem.ts";
import {
	type ImportedFile,
	type ImportTarget,
	importFile,
} from "../../operator/import-file.ts";
import { importFlags } from "../../operator/import-pets.ts";
import { type DatabaseUrl, isMissing } from "../../store/database-url.ts";
import type { ImportCounts, ImportReads } from "../../store/import.ts";
import { toCommand } from "../command.ts";
import { database, format, pathOf, quiet } from "../flags.ts";
import { createProgress, say } from "../terminal/print.ts";
import { watchInterruption } from "../terminal/signal.ts";
import { withStore } from "../with-store.ts";

/** Animals of a file that the command line imports. */
const maxImportedAnimals = 1_000_000;

export const command = toCommand("import", {
	arguments: {
		file: pathOf("NDJSON or CSV file, plain or gzip; - is stdin."),
	},
	flags: { format, ...importFlags, quiet, database },
	help: `Each line must follow the rules of a new animal. With --update, a line with an
id needs only the members to change. If a line is wrong, nothing is imported,
and errors are listed by line number.

CSV needs a header line with the names of its columns. Columns are:
${columnNames.join(", ")}.
Required are ${newPets.required.join(", ")}; with --update only ${updates.required.join(", ")}.
With --update, an animal must still have its version, if the line has one.
Fields are separated by commas, semicolons or tabs, as the header line shows.`,
	examples: [
		"petstore import animals.csv --dry-run",
		"petstore import animals.ndjson.gz --import-id monday",
		"petstore import animals.csv --update --dry-run",
	],
	async run({ file, format: flag, quiet, database, ...asked }) {
		const { format, isGzip } = toFileKind(file, flag);
		const signal = watchInterruption("nothing was imported");
		const imported = await importFile(
			readChunks(file, isGzip, signal),
			{
				...asked,
				format,
				signal,
				maxAnimals: maxImportedAnimals,
				authored: byCommandLine(),
				onProgress: createProgress(quiet),
			},
			toTarget(database, asked),
		);
		report(imported, asked);
	},
});

type Asked = ValuesOf<typeof importFlags>;

/** Without --update, a missing database is created, but not by a dry run. */
function toTarget(database: DatabaseUrl, { update }: Asked): ImportTarget {
	return {
		read: (use) =>
			!update && isMissing(database)
				? use(ofNewDatabase)
				: withStore(database, "read", ({ imports }) => use(imports)),
		write: (use) =>
			withStore(database, update ? "write" : "create", ({ imports }) =>
				use(imports),
			),
	};
}

const ofNewDatabase: ImportReads = {
	find: async () => undefined,
	check: async (lines) => ({
		added: lines.length,
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
