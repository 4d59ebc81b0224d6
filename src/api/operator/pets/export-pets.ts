// exportPets: all animals as a file, in one snapshot. Limits their number and time, since an open snapshot costs the database.
import { setImmediate as nextIteration } from "node:timers/promises";
import { withTimeout } from "../../../async/waiting.ts";
import { readFilter } from "../../../contract/filter.ts";
import {
	excel,
	excelNeedsCsv,
	format,
	offered,
} from "../../../contract/operator/pets/operations.ts";
import { readParameter } from "../../../contract/parameter.ts";
import { overloaded, storeUnavailable } from "../../../domain/errors.ts";
import { excelMediaType, fileMediaTypes } from "../../../domain/file-format.ts";
import type { PetFilter } from "../../../domain/filter.ts";
import { toWriter, type Writer } from "../../../formats/writer.ts";
import { SlowClient, toPartStream } from "../../../http/part-stream.ts";
import type { Route } from "../../../http/surface.ts";
import { httpExportRows, operatorAnswerMs } from "../../../limits.ts";
import type { FailureLog } from "../../../log/failures.ts";
import type { Exports, PetSnapshot } from "../../../store/export.ts";

/** Concurrent exports of a process over HTTP, and the longest time of each. */
const maxHttpExports = 2;
const httpExportMs = 10 * 60_000;
/** A client must read each part, up to about 160 KiB, within this time. */
const exportPartMs = 10_000;

export function exportPets(
	exports: Exports,
	failures: Pick<FailureLog, "reportWork">,
	{ totalMs = httpExportMs, partMs = exportPartMs } = {},
): Route["handle"] {
	let running = 0;

	async function open(filter: PetFilter): Promise<PetSnapshot> {
		if (running >= maxHttpExports) throw overloaded;
		running++;
		const opening = exports.open(filter);
		try {
			return await withTimeout(operatorAnswerMs, opening, storeUnavailable);
		} catch (error) {
			running--;
			opening.then(({ close }) => close()).catch(() => {});
			throw error;
		}
	}

	return async ({ request, query }) => {
		const chosen = readParameter(query, format);
		const isExcel = readParameter(query, excel);
		if (isExcel && chosen !== "csv") throw excelNeedsCsv();
		const filter = readFilter(query, offered);
		const reply = {
			own: { "Content-Disposition": `attachment; filename="pets.${chosen}"` },
			mediaType: isExcel ? excelMediaType : fileMediaTypes[chosen],
		};
		if (request.method === "HEAD")
			return { ...reply, body: new ReadableStream() };
		const snapshot = await open(filter);
		const readNext = createReader(snapshot, toWriter(chosen, isExcel), totalMs);
		const body = toPartStream(readNext, partMs, (error) => {
			running--;
			snapshot.close().catch(() => {});
			// The status was sent already, so nothing else says why the client got a part.
			if (error !== undefined)
				failures.reportWork(error, "an export was not completed");
		});
		return { ...reply, body };
	};
}

function createReader(
	snapshot: PetSnapshot,
	{ head, toBytes }: Writer,
	totalMs: number,
): () => Promise<Uint8Array | undefined> {
	const deadline = performance.now() + totalMs;
	let isFirst = true;
	return async () => {
		for (;;) {
			// Gives other requests a turn.
			await nextIteration();
			if (performance.now() > deadline || snapshot.mustEndSoon())
				throw new SlowClient();
			if (isFirst) {
				isFirst = false;
				if (head.length > 0) return head;
			}
			const page = await snapshot.next(httpExportRows);
			if (page === undefined) return undefined;
			if (page.pets.length > 0) return toBytes(page.pets);
		}
	};
}
