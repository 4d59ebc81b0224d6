// exportPets: all animals, or some of them, as a file. `petstore export` does the same.
import { pause } from "../domain/async.ts";
import { Failure } from "../domain/errors.ts";
import {
	excelMediaType,
	type FileFormat,
	fileFormat,
	fileMediaTypes,
} from "../domain/pet/file-format.ts";
import { filters, type PetFilter } from "../domain/pet/filter.ts";
import { toSwitch } from "../domain/types/scalar.ts";
import { withDefault, withExample } from "../domain/types/type.ts";
import { toWriter } from "../formats/writer.ts";
import { SlowClient, toPartStream } from "../http/parts.ts";
import { Answer } from "../interface/operation.ts";
import type { PetSnapshot } from "../store/animals/search.ts";
import { inTime, type OperatorService, operation } from "./operation.ts";

/** Animals that an HTTP export reads in one statement. As many as the longest list. */
const httpExportRows = 100;

/** The parameters of an export, and flags of its command. */
export const exportFlags = {
	excel: toSwitch(
		"Writes the CSV file for Excel: UTF-16 with a byte order mark, tabs between the fields, and names of categories. It needs the format csv.",
	),
	...filters,
};

export const exportPets = operation({
	method: "GET",
	path: "/pets/export",
	summary: "Export animals",
	description:
		"A file with all animals, or some of them, as they are at one moment, by ascending id. A process sends few exports at the same time, and aborts one that is read too slowly. `petstore export` has neither limit.",
	query: {
		format: withExample(withDefault(fileFormat, "ndjson"), "csv"),
		...exportFlags,
	},
	fileReply: {
		[fileMediaTypes.ndjson]: "A line for each animal.",
		[fileMediaTypes.csv]:
			"A header line, and a line for each animal. Lines end in CRLF.",
		[excelMediaType]: "The same for Excel.",
	},
	command: false,
	async handle({ format, excel, ...filter }, service, { request, source }) {
		const toFile = toExport(format, excel);
		const headers = {
			"Content-Disposition": `attachment; filename="pets.${format}"`,
			"Content-Type": excel ? excelMediaType : fileMediaTypes[format],
		};
		// Only before the body: what is set later has no effect. A caller that does not read is disconnected earlier.
		source.allowIdle(request, silentMs);
		const body = await streamExport(service, filter, toFile);
		return new Answer(undefined, headers, body);
	},
});

/** Concurrent exports of a service over HTTP, and the longest time of each. */
export const maxHttpExports = 2;
const httpExportMs = 10 * 60_000;
/** A client must read each part, up to about 160 KiB, within this time. */
const exportPartMs = 10_000;
/** It may look so long without finding an animal: nearly as long as Bun's idle timeout can be. */
const silentMs = 240_000;

/** Limits their number and time, since an open snapshot costs the database. */
export async function streamExport(
	{ store, running }: Pick<OperatorService, "store" | "running">,
	filter: PetFilter,
	toFile: ToFile,
	{ totalMs = httpExportMs, partMs = exportPartMs } = {},
): Promise<ReadableStream<Uint8Array>> {
	running?.exports.take();
	const opening = store.openSnapshot(filter);
	const snapshot = await inTime(opening).catch((error) => {
		running?.exports.free();
		opening.then(({ close }) => close()).catch(() => {});
		throw error;
	});
	const deadline = performance.now() + totalMs;
	const parts = toFile(snapshot, httpExportRows, () => {
		if (performance.now() > deadline || snapshot.mustEndSoon())
			throw new SlowClient();
	});
	return toPartStream(
		async () => (await parts.next()).value,
		partMs,
		(error) => {
			running?.exports.free();
			snapshot.close().catch(() => {});
			// The status was sent already, so nothing else says why the client got a part.
			if (error !== undefined)
				running?.report(error, "an export was not completed");
		},
	);
}

/** The bytes of a file. `onPage` is called before each page with the number of animals so far. */
type ToFile = (
	snapshot: PetSnapshot,
	/** Animals that are read at once. */
	rows: number,
	onPage: (count: number) => void,
) => AsyncGenerator<Uint8Array, undefined>;

export function toExport(format: FileFormat, excel: boolean): ToFile {
	if (excel && format !== "csv")
		throw new Failure("invalid_parameter", "excel needs the format csv.");
	return async function* (snapshot, rows, onPage) {
		const { head, toBytes } = toWriter(format, excel, snapshot.names);
		if (head.length > 0) yield head;
		for (let count = 0; ; ) {
			await pause();
			onPage(count);
			const page = await snapshot.next(rows);
			if (page === undefined) return undefined;
			count += page.length;
			if (page.length > 0) yield toBytes(page);
		}
	};
}
