// `petstore export`: all animals, or some of them, as a file.
import { createWriteStream } from "node:fs";
import { open, rename, rm } from "node:fs/promises";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { createGzip } from "node:zlib";
import { OperatorError, toReason } from "../../domain/errors.ts";
import { toFileKind } from "../../domain/pet/file-format.ts";
import { toQuantity } from "../../domain/quantity.ts";
import { withDefault } from "../../domain/types/type.ts";
import { exportFlags, toExport } from "../../operator/export-pets.ts";
import { exportRows } from "../../store/animals/search.ts";
import { toCommand } from "../command.ts";
import { database, format, pathOf, quiet } from "../flags.ts";
import {
	cannotPrint,
	createProgress,
	isReaderGone,
	say,
} from "../terminal/print.ts";
import { watchInterruption } from "../terminal/signal.ts";
import { withStore } from "../with-store.ts";

export const command = toCommand("export", {
	arguments: {
		file: withDefault(pathOf("File to write or replace; - is stdout."), "-"),
	},
	flags: { format, ...exportFlags, quiet, database },
	help: `The service keeps running during an export. Names are written unchanged, even in
CSV: some spreadsheets take a name that begins with =, +, - or @ for a formula.`,
	examples: [
		"petstore export animals.csv",
		"petstore export animals.csv --excel",
		"petstore export sold.ndjson.gz --status sold",
		"petstore export | wc -l",
	],
	async run({ file, format: flag, excel, quiet, database, ...filter }) {
		const { format, isGzip } = toFileKind(file, flag);
		const toFile = toExport(format, excel);
		const isStdout = file === "-";
		const signal = watchInterruption(
			isStdout ? "the output is not complete" : `${file} was not written`,
		);
		await withStore(database, "read", async ({ openSnapshot }) => {
			const snapshot = await openSnapshot(filter);
			const showProgress = createProgress(quiet);
			let count = 0;
			const chunks = toFile(snapshot, exportRows, (done) => {
				count = done;
				showProgress(done);
			});
			try {
				await (isStdout
					? writeStdout(chunks, snapshot.mustEndSoon, signal)
					: writeFile(file, chunks, isGzip, signal));
			} finally {
				await snapshot.close();
			}
			if (!isStdout) say(`Exported ${toQuantity(count, "animal")} to ${file}.`);
		});
	},
});

/** A slow reader must not let SQLite's WAL grow. */
async function writeStdout(
	chunks: AsyncIterable<Uint8Array>,
	mustEndSoon: () => boolean,
	signal: AbortSignal,
): Promise<void> {
	const stopped = new AbortController();
	const watch = setInterval(() => {
		if (mustEndSoon()) stopped.abort(new OperatorError(readTooSlowly));
	}, 1_000);
	try {
		const source = Readable.from(chunks, { objectMode: false });
		await pipeline(source, process.stdout, {
			signal: AbortSignal.any([signal, stopped.signal]),
			end: false,
		});
	} catch (error) {
		signal.throwIfAborted();
		stopped.signal.throwIfAborted();
		if (isReaderGone(error)) return;
		if (!(error instanceof Error && "syscall" in error)) throw error;
		throw new OperatorError(`${cannotPrint}: ${toReason(error)}.`);
	} finally {
		clearInterval(watch);
	}
}

const readTooSlowly =
	"The output is read too slowly, and the WAL of the database grows; the output is not complete. Export to a file.";

/** Writes under a temporary name, syncs and renames. So a file with the final name is always complete. */
async function writeFile(
	path: string,
	chunks: AsyncIterable<Uint8Array>,
	isGzip: boolean,
	signal: AbortSignal,
): Promise<void> {
	const unfinished = `${path}.${process.pid}.unfinished`;
	try {
		const source = Readable.from(chunks, { objectMode: false });
		const target = createWriteStream(unfinished, { flags: "wx" });
		if (isGzip) await pipeline(source, createGzip(), target, { signal });
		else await pipeline(source, target, { signal });
		const written = await open(unfinished);
		await written.sync().finally(() => written.close());
		signal.throwIfAborted();
		await rename(unfinished, path);
	} catch (error) {
		await rm(unfinished, { force: true });
		signal.throwIfAborted();
		if (!(error instanceof Error && "syscall" in error)) throw error;
		throw new OperatorError(`${path} cannot be written: ${toReason(error)}.`);
	}
}
