// The program of the writer thread: it opens its own connection and does the writes that thread.ts sends.
import { SQLiteError } from "bun:sqlite";
import { parentPort, workerData } from "node:worker_threads";
import {
	idsExhausted,
	StoreFailure,
	toReason,
} from "../../../../domain/errors.ts";
import { threadCheckpointWaitMs } from "../../../../limits.ts";
import { connect, setLockTimeout } from "../../database.ts";
import { guardFile } from "../../files/file-guard.ts";
import type { ThreadError, WriteReply, WriteRequest } from "./thread.ts";
import { createWriter } from "./writer.ts";

const path: string = workerData;
const db = connect(path);
setLockTimeout(db, 0);
const writer = createWriter(db, guardFile(path), {
	waitMs: threadCheckpointWaitMs,
});

parentPort?.on("message", async (request: WriteRequest | "close") => {
	if (request !== "close") {
		parentPort?.postMessage(await answer(request));
		return;
	}
	db.close();
	parentPort?.close();
});
parentPort?.postMessage("ready");

async function answer({ name, values }: WriteRequest): Promise<WriteReply> {
	try {
		return { result: await writer.write(name, ...values) };
	} catch (error) {
		return { error: toThreadError(error) };
	}
}

function toThreadError(error: unknown): ThreadError {
	const reason = error instanceof StoreFailure ? error.cause : error;
	const code = reason instanceof SQLiteError ? reason.code : undefined;
	return { kind: toKind(error), message: toReason(reason), code };
}

function toKind(error: unknown): ThreadError["kind"] {
	if (error === idsExhausted) return "exhausted";
	if (!(error instanceof StoreFailure)) return "internal";
	return error.wroteNothing ? "wroteNothing" : "unavailable";
}
