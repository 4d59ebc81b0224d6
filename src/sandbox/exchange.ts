// A request in the sandbox, and what is sent of its reply.
import { closeSync, openSync, unlinkSync, writeSync } from "node:fs";
import { tmpdir } from "node:os";
import type { Awaitable } from "../domain/async.ts";
import type { RecordedRequest } from "../testing/recorded-request.ts";

export interface Exchange {
	/** Complete when it is answered. */
	readonly record: Recording;
	/** Aborts when a reset or the stop of the sandbox cuts it. */
	readonly ending: AbortController;
	/** By `performance.now()`. */
	readonly begunAt: number;
	/** What the service does for it. */
	work?: Awaitable<Response>;
}

export type Recording = {
	-readonly [Name in keyof RecordedRequest]: RecordedRequest[Name];
};

/** What is sent of the reply, with the fault of the record; undefined if the connection is cut. */
export async function toSent(
	response: Response,
	{ method }: Request,
	record: Recording,
): Promise<Response | undefined> {
	const drop = record.fault?.drop;
	if (drop !== "mid-body") return drop === undefined ? response : undefined;
	const { status } = response;
	const bytes = await response.bytes();
	// Without a body, nothing can be sent half.
	if (bytes.length === 0 || method === "HEAD") {
		record.unsentStatus = status;
		return undefined;
	}
	const headers = new Headers(response.headers);
	headers.set("Connection", "close");
	const half = toOpenFile(bytes).slice(0, Math.floor(bytes.length / 2));
	return new Response(half, { status, headers });
}

/** Of a part of an open file, Bun sends the Content-Length of the whole one. Elsewhere it corrects the header. */
function toOpenFile(bytes: Uint8Array): Blob {
	const path = `${tmpdir()}/petstore-${crypto.randomUUID()}`;
	const file = openSync(path, "wx+", 0o600);
	unlinkSync(path);
	// At 0, so that Bun reads from there.
	writeSync(file, bytes, 0, bytes.length, 0);
	// Bun does not close it.
	setTimeout(closeSync, 10_000, file).unref();
	return Bun.file(file);
}
