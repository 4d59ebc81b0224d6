// `petstore import`: adds or updates the animals of a file, all of them or none.
import { createReadStream } from "node:fs";
import { addAbortSignal, pipeline, type Readable } from "node:stream";
import { createGunzip } from "node:zlib";
import { byCommandLine } from "../../domain/access/author.ts";
import { OperatorError, toReason } from "../../domain/errors.ts";
import { toFileKind } from "../../domain/pet/file-format.ts";
import { toCountText, toQuantity } from "../../domain/quantity.ts";
import { toTimeText } from "../../domain/time.ts";
import { toSwitch } from "../../domain/types/scalar.ts";
import type { ValuesOf } from "../../domain/types/type.ts";
import { columnNames } from "../../formats/columns.ts";
import { problemToText } from "../../formats/problem.ts";
import { type ImportedFile, importFile } from "../../operator/import-file.ts";
import { importFlags } from "../../operator/import-pets.ts";
import {
	type DatabaseUrl,
	isMissing,
	readDatabaseUrl,
} from "../../store/database/database-url.ts";
import type { ImportCounts } from "../../store/files/import.ts";
import type { StoreOptions } from "../../store/store.ts";
import { toCommand, toFlag } from "../command.ts";
import { database, format, pathOf, quiet } from "../flags.ts";
import { createProgress, say } from "../terminal/print.ts";
import { watchInterruption } from "../terminal/signal.ts";
import { withStore } from "../with-store.ts";

/** Animals and bytes of a file that the command line imports. */
const maxImportedAnimals = 1_000_000;
const maxImportedBytes = 1024 ** 3;

export const command = toCommand("import", {
	arguments: {
		file: pathOf("NDJSON or CSV file, plain or gzip; - is stdin."),
	},
	flags: {
		update: toSwitch(
			"Lines with an id change that animal, and lines without one add an animal.",
		),
		add: toSwitch("All lines add animals. Ids are ignored."),
		format,
		...importFlags,
		quiet,
		database,
	},
	help: `Each line must follow the rules of a new animal. A file with ids needs --update
or --add. With --update, an empty cell or a missing member leaves the value as
it is, and an animal must still have its version, if the line has one. If a line
is wrong, nothing is imported, and errors are listed by line number.

CSV needs a header line with the names of its columns. Columns are:
${columnNames.join(", ")}.
The column category has names of categories or their ids, for categoryId.
Fields are separated by commas, semicolons or tabs, as the header line shows.`,
	examples: [
		"petstore import animals.csv --dry-run",
		"petstore import animals.ndjson.gz --import-id monday",
		"petstore import animals.csv --update --dry-run",
	],
	async run({ file, format: flag, quiet, database, update, add, ...asked }) {
		if (update && add)
			throw new OperatorError("Use either --update or --add, not both.", 2);
		const mode = update ? "update" : add ? "add" : undefined;
		const { format, isGzip } = toFileKind(file, flag);
		const signal = watchInterruption("nothing was imported");
		const [opened, access] = toOpened(database, update, asked.dryRun);
		const imported = await importFile(
			readChunks(file, isGzip, signal),
			{
				...asked,
				mode,
				format,
				maxAnimals: maxImportedAnimals,
				authored: byCommandLine(),
				toName: toFlag,
				onProgress: createProgress(quiet),
			},
			(use) => withStore(opened, access, ({ imports }) => use(imports, signal)),
		);
		report(imported, asked);
	},
});

type Asked = ValuesOf<typeof importFlags>;

/** Without --update, a missing database is created, by a dry run in memory. */
function toOpened(
	database: DatabaseUrl,
	isUpdate: boolean,
	dryRun: boolean,
): [DatabaseUrl, StoreOptions["access"]] {
	if (!dryRun) return [database, isUpdate ? "write" : "create"];
	return isMissing(database) && !isUpdate
		? [readDatabaseUrl("sqlite::memory:"), "create"]
		: [database, "read"];
}

function report(imported: ImportedFile, asked: Asked): void {
	const ignored = imported.ignored.map(
		({ name, lines }) =>
			`${JSON.stringify(name)} (${toQuantity(lines, "line")})`,
	);
	if (ignored.length > 0) say(`Ignored members: ${ignored.join(", ")}.`);
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
	}
}

function sayDone(
	{ added, changed, unchanged, createdCategories: created }: ImportCounts,
	{ dryRun }: Asked,
): void {
	const [add, change, leave] = dryRun
		? ["Would add", "change", "leave"]
		: ["Added", "changed", "left"];
	const others =
		changed + unchanged > 0
			? `, ${change} ${toCountText(changed)} and ${leave} ${toCountText(unchanged)} unchanged`
			: "";
	say(`${add} ${toQuantity(added, "animal")}${others}.`);
	if (created.length === 0) return;
	const names = created.slice(0, maxNames).map((name) => JSON.stringify(name));
	const more = created.length - names.length;
	const rest = more > 0 ? ` and ${toCountText(more)} more` : "";
	say(`New categories: ${names.join(", ")}${rest}.`);
}

/** Of categories, in one line. */
const maxNames = 20;

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
	let bytes = 0;
	try {
		for await (const chunk of addAbortSignal(signal, stream)) {
			bytes += chunk.length;
			if (bytes > maxImportedBytes) throw new Error("it is larger than 1 GiB");
			yield chunk;
		}
	} catch (error) {
		signal.throwIfAborted();
		const name = file === "-" ? "stdin" : file;
		throw new OperatorError(
			`${name} cannot be read: ${toReason(error)}. Nothing was imported.`,
		);
	}
}

const chunkBytes = 256 * 1024;
