// The thread that writes: it has a connection of its own, and does what sqlite-writer.ts asks.
import { SQLiteError } from "bun:sqlite";
import { parentPort, workerData } from "node:worker_threads";
import { Failure, storeUnavailable, toReason } from "../../contract/errors.ts";
import { openDatabase } from "./database.ts";
import type {
	Answer,
	Request,
	ThreadData,
	ThreadFailure,
} from "./writer-client.ts";
import { prepareWrites } from "./writes.ts";

/** A turn of the event loop, in which there are reads, takes less. */
const waitMs = 100;

const { path, givenUp }: ThreadData = workerData;
const { db, statements: writes } = openDatabase(path, false, (db) =>
	prepareWrites(db, { waitMs }),
);

parentPort?.on("message", async (request: Request) => {
	parentPort?.postMessage(await answer(request));
	if (request.write === "close") parentPort?.close();
});

async function answer(request: Request): Promise<Answer<unknown>> {
	const { number } = request;
	try {
		// Its caller was told that it was not done.
		if (number <= Atomics.load(givenUp, 0)) throw storeUnavailable();
		return { number, result: await perform(request) };
	} catch (error) {
		return { number, failure: toThreadFailure(error) };
	}
}

/** What of an error passes between threads. */
function toThreadFailure(error: unknown): ThreadFailure {
	const isTrouble = error instanceof Failure;
	const reason = isTrouble ? (error.cause ?? error) : error;
	const code = reason instanceof SQLiteError ? reason.code : undefined;
	return { message: toReason(reason), code, isTrouble };
}

async function perform({ write, values }: Request): Promise<unknown> {
	switch (write) {
		case "addPets":
			return writes.addPets(...values);
		case "forgetIdempotencyKeys":
			return writes.forgetIdempotencyKeys(...values);
		case "recordKeyUse":
			return writes.recordKeyUse(...values);
		case "close":
			return db.close();
	}
}
