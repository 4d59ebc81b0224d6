// A request in the sandbox, and the effect of its fault: whether it is done, and what is sent of its reply.
import { closeSync, openSync, unlinkSync, writeSync } from "node:fs";
import { tmpdir } from "node:os";
import { setTimeout as sleep } from "node:timers/promises";
import type { Awaitable } from "../domain/async.ts";
import { errorStatus, Failure } from "../domain/errors.ts";
import { noReply, type Reply } from "../http/reply.ts";
import type { Call, Route, Source } from "../http/surface.ts";
import type { RecordedRequest } from "../testing/recorded-request.ts";

export interface Exchange {
	/** Complete when it is answered. */
	readonly record: Recording;
	/** Aborts when a reset or the stop of the sandbox cuts it. */
	readonly ending: AbortController;
	/** By `performance.now()`. */
	readonly begunAt: number;
	/** Until a fault applies, its whole reply is sent. */
	effect: Effect;
	/** What the service does for it. */
	work?: Awaitable<Response>;
}

export interface Effect {
	/** Milliseconds before the service does anything. */
	readonly delay: number;
	/** Whether the service does the request. */
	readonly isDone: boolean;
	/** `half` and `cut` close the connection, after half of the body or without a byte. */
	readonly end: "send" | "half" | "cut";
	/** Sent instead of the reply of the service. */
	readonly reply?: Reply | undefined;
}

export const noEffect: Effect = { delay: 0, isDone: true, end: "send" };

export type Recording = {
	-readonly [Name in keyof RecordedRequest]: RecordedRequest[Name];
};

/** Before the request is done. The end of the exchange ends it. */
export async function wait(
	ms: number,
	{ ending: { signal } }: Exchange,
	{ request, source }: Pick<Call, "request" | "source">,
): Promise<void> {
	if (ms === 0) return;
	source.allowIdle(request, ms);
	await sleep(ms, undefined, { signal }).catch(() => {});
}

/** Does the request as its effect says, and returns the reply, of which `toSent` sends all or a part. */
export async function carryOut(
	exchange: Exchange,
	handle: Route["handle"],
	call: Call,
): Promise<Reply> {
	const { delay, isDone, end, reply } = exchange.effect;
	await wait(delay, exchange, call);
	if (exchange.ending.signal.aborted) return noReply;
	if (end !== "cut" && reply === undefined) return handle(call);
	if (isDone) exchange.record.unsentStatus = await doUnsent(handle, call);
	return reply ?? noReply;
}

/** Returns the status that is not sent. */
async function doUnsent(handle: Route["handle"], call: Call): Promise<number> {
	try {
		const { status = call.route?.status ?? 200, body } = await handle(call);
		// Its producer, for example an export, waits for a reader.
		if (body instanceof ReadableStream) void body.cancel();
		return status;
	} catch (error) {
		return errorStatus[error instanceof Failure ? error.code : "internal"];
	}
}

/** What is sent of the reply; undefined if the connection is cut. */
export async function toSent(
	response: Response,
	request: Request,
	{ record, effect: { end } }: Exchange,
	source: Source,
): Promise<Response | undefined> {
	if (end !== "half") return end === "send" ? response : undefined;
	const { status } = response;
	const bytes = await response.bytes();
	// Without a body, nothing can be sent half.
	if (bytes.length === 0 || request.method === "HEAD") {
		record.unsentStatus = status;
		return undefined;
	}
	const headers = new Headers(response.headers);
	headers.set("Connection", "close");
	const file = toOpenFile(bytes);
	// Bun does not close it, and forgets the address of the client when the reply is sent.
	const closing = setInterval(() => {
		if (source.clientOf(request) !== undefined) return;
		clearInterval(closing);
		closeSync(file);
	}, closePollMs);
	closing.unref();
	const half = Bun.file(file).slice(0, Math.floor(bytes.length / 2));
	return new Response(half, { status, headers });
}

const closePollMs = 50;

/** Of a part of an open file, Bun sends the Content-Length of the whole one. Elsewhere it corrects the header. */
function toOpenFile(bytes: Uint8Array): number {
	const path = `${tmpdir()}/petstore-${crypto.randomUUID()}`;
	const file = openSync(path, "wx+", 0o600);
	unlinkSync(path);
	// At 0, so that Bun reads from there.
	writeSync(file, bytes, 0, bytes.length, 0);
	return file;
}
