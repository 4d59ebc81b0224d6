// What the writer thread runs: it opens a connection of its own and does the writes that thread.ts sends.
import { SQLiteError } from "bun:sqlite";
import { parentPort, workerData } from "node:worker_threads";
import {
	idsExhausted,
	StoreFailure,
	storeWroteNothing,
	toReason,
} from "../../../../domain/errors.ts";
import { threadCheckpointWaitMs } from "../../../../limits.ts";
import { connect, setLockTimeout } from "../../database.ts";
import { guardFile } from "../../files/file-guard.ts";
import type {
	ThreadData,
	ThreadError,
	WriteReply,
	WriteRequest,
} from "./thread.ts";
import { prepareWrites } from "./writes.ts";

const { path, begun, timedOut }: ThreadData = workerData;
const db = connect(path);
const writes = prepareWrites(db, guardFile(path), {
	waitMs: threadCheckpointWaitMs,
});
setLockTimeout(db, 0);

parentPort?.on("message", async (request: WriteRequest | "close") => {
	if (request !== "close") {
		parentPort?.postMessage(await answer(request));
		return;
	}
	db.close();
	parentPort?.close();
});
parentPort?.postMessage("ready");

async function answer({
	number,
	write,
	values,
}: WriteRequest): Promise<WriteReply<unknown>> {
	try {
		Atomics.store(begun, 0, number);
		if (number <= Atomics.load(timedOut, 0)) throw storeWroteNothing();
		return { number, result: await writes.write(write, ...values) };
	} catch (error) {
		return { number, error: toThreadError(error) };
	}
}

function toThreadError(error: unknown): ThreadError {
	const isUnavailable = error instanceof StoreFailure;
	const reason = isUnavailable ? error.cause : error;
	const code = reason instanceof SQLiteError ? reason.code : undefined;
	const wroteNothing = isUnavailable && error.wroteNothing;
	const message =
		reason === undefined ? "it did not answer in time" : toReason(reason);
	const isExhausted = error === idsExhausted;
	return { message, code, isUnavailable, wroteNothing, isExhausted };
}
