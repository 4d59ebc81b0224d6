// `petstore export`: all animals, or some of them, as a file.
import { createWriteStream } from "node:fs";
import { open, rename, rm } from "node:fs/promises";
import { dirname } from "node:path";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { createGzip } from "node:zlib";
import { Command } from "@commander-js/extra-typings";
import { OperatorError, toReason } from "../../domain/errors.ts";
import { toQuantity } from "../../domain/quantity.ts";
import { toWriter } from "../../formats/writer.ts";
import { exportRows } from "../../store/export.ts";
import { syncFolder } from "../../store/folders.ts";
import { databaseOption, formatOption, requireCsv, toKind } from "../flags.ts";
import {
	cannotPrint,
	createProgress,
	isReaderGone,
	say,
} from "../terminal/print.ts";
import { watchInterruption } from "../terminal/signal.ts";
import { withStoreReader } from "../with-store.ts";
import { addFilters, toFilter } from "./pets/flags.ts";

export const command = addFilters(
	new Command("export")
		.argument("[file]", "file to write or replace; - is stdout", "-")
		.addOption(formatOption),
)
	.option("--excel", "write CSV for Excel: UTF-16 with tabs")
	.option("--quiet", "show no progress")
	.addOption(databaseOption)
	.addHelpText(
		"after",
		`
The service keeps running during an export. Names are written unchanged, even in
CSV: some spreadsheets take a name that begins with =, +, - or @ for a formula.

Examples:
  petstore export animals.csv
  petstore export animals.csv --excel
  petstore export sold.ndjson.gz --status sold
  petstore export | wc -l`,
	)
	.action(async (file, flags) => {
		const { format, isGzip } = toKind(file, flags.format);
		requireCsv(format, { "--excel": flags.excel });
		const isStdout = file === "-";
		const signal = watchInterruption(
			isStdout ? "the output is not complete" : `${file} was not written`,
		);
		await withStoreReader(flags, async ({ exports }) => {
			const snapshot = await exports.open(toFilter(flags));
			const showProgress = createProgress(flags.quiet);
			const { head, toBytes } = toWriter(format, flags.excel);
			let count = 0;
			async function* toChunks(): AsyncGenerator<Uint8Array> {
				if (head.length > 0) yield head;
				for (;;) {
					const page = await snapshot.next(exportRows);
					if (page === undefined) return;
					count += page.pets.length;
					showProgress(count);
					if (page.pets.length > 0) yield toBytes(page.pets);
				}
			}
			try {
				await (isStdout
					? writeStdout(toChunks(), snapshot.mustEndSoon, signal)
					: writeFile(file, toChunks(), isGzip, signal));
			} finally {
				await snapshot.close();
			}
			if (!isStdout) say(`Exported ${toQuantity(count, "animal")} to ${file}.`);
		});
	});

/** A reader that has stopped reading must not let SQLite's WAL grow. */
async function writeStdout(
	chunks: AsyncIterable<Uint8Array>,
	mustEndSoon: () => boolean,
	signal: AbortSignal,
): Promise<void> {
	const stopped = new AbortController();
	let [written, before] = [0, -1];
	async function* counted() {
		for await (const chunk of chunks) {
			written++;
			yield chunk;
		}
	}
	const watch = setInterval(() => {
		if (written === before && mustEndSoon())
			stopped.abort(new OperatorError(readerStopped));
		before = written;
	}, 1_000);
	try {
		const source = Readable.from(counted(), { objectMode: false });
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

const readerStopped =
	"The reader of the output has stopped, and the WAL of the database grows; the output is not complete. Export to a file.";

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
		syncFolder(dirname(path));
	} catch (error) {
		await rm(unfinished, { force: true });
		signal.throwIfAborted();
		if (!(error instanceof Error && "syscall" in error)) throw error;
		throw new OperatorError(`${path} cannot be written: ${toReason(error)}.`);
	}
}
