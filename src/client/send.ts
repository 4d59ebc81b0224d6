// Sends a request, repeats it after transient failures, and returns the reply; the error of every failed call.
import { parseExactly, parseRounded } from "./json.ts";
import {
	type CallOptions,
	requireKnown,
	requireNumbers,
	type Settings,
} from "./options.ts";

/** The store refused the call, could not be reached, or sent an invalid reply. */
export class PetstoreError extends Error {
	/**
	 * The store's code, for example `not_found`, or a code of the client: `network`, `timeout`, `http_error` (an error reply without an Error
	 * body) or `invalid_reply` (any other reply that breaks the interface).
	 */
	readonly code: string;
	/** The HTTP status; undefined without a reply. */
	readonly status: number | undefined;
	/** The `X-Request-Id` of the reply, if it has one. */
	readonly requestId: string | undefined;

	static {
		// The build minifies the class name, which Node.js prints.
		Object.defineProperty(PetstoreError, "name", { value: "PetstoreError" });
	}

	constructor(
		code: string,
		message: string,
		{ status, requestId, cause }: ErrorDetails = {},
	) {
		super(message, cause === undefined ? {} : { cause });
		this.name = "PetstoreError";
		this.code = code;
		this.status = status;
		this.requestId = requestId;
	}
}

type ErrorDetails = Partial<
	Pick<PetstoreError, "status" | "requestId" | "cause">
>;

/** A reply that has arrived completely. */
export interface Reply {
	/** The URL after redirects. */
	readonly url: string;
	readonly status: number;
	readonly headers: Headers;
	readonly text: string;
}

export interface Outgoing {
	readonly url: string;
	/** JSON text. With a body the method is POST, else GET. */
	readonly body?: string;
	readonly idempotencyKey?: string;
}

/** Returns a success. Rejects with a PetstoreError, or with the reason of the caller's signal. */
export async function send(
	settings: Settings,
	request: Outgoing,
	options: CallOptions,
): Promise<Reply> {
	requireKnown(options, ["signal", "timeout"]);
	const { signal, timeout = settings.timeout } = options;
	requireNumbers({ timeout });
	const init = toInit(settings, request);
	for (let failures = 0; ; failures++) {
		const outcome = await within(timeout, signal, async (ending) => {
			const { url } = request;
			const response = await settings.fetch(url, { ...init, signal: ending });
			const { status, headers } = response;
			const text = await response.text();
			return { url: response.url || url, status, headers, text };
		}).then(
			(reply) => reply ?? fail("timeout", `no complete reply in ${timeout} ms`),
			(cause) => {
				signal?.throwIfAborted();
				return fail("network", toReason(cause), cause);
			},
		);
		const isReply = !(outcome instanceof PetstoreError);
		if (isReply && outcome.status < 300) return outcome;
		const delay = toDelay(settings, failures, isReply ? outcome : undefined);
		if (delay === undefined) throw isReply ? toError(outcome) : outcome;
		await within(delay, signal, () => new Promise(() => {}));
	}

	function fail(code: string, reason: string, cause?: unknown): PetstoreError {
		const message = `${init.method} ${request.url} failed: ${reason}`;
		return new PetstoreError(code, message, { cause });
	}
}

/** Built once, before the first attempt: an invalid header value must not be retried. */
function toInit({ key }: Settings, request: Outgoing): RequestInit {
	const { body, idempotencyKey } = request;
	const headers = new Headers({
		Accept: "application/json",
		Authorization: `Bearer ${key}`,
		...(body !== undefined && { "Content-Type": "application/json" }),
		...(idempotencyKey !== undefined && { "Idempotency-Key": idempotencyKey }),
	});
	if (body === undefined) return { method: "GET", headers };
	// fetch follows most redirects with a GET, which adds no animal.
	return { method: "POST", redirect: "error", headers, body };
}

/** Node.js says only "fetch failed"; the reason is in the cause. */
function toReason(error: unknown): string {
	if (!(error instanceof Error)) return String(error);
	return error.cause === undefined
		? error.message
		: `${error.message} (${toReason(error.cause)})`;
}

/** Milliseconds before the next attempt; undefined if the failure is final. `reply` is undefined without one. */
export function toDelay(
	{ times, delay }: Pick<Settings, "times" | "delay">,
	failures: number,
	reply?: Reply,
): number | undefined {
	const isTransient = reply === undefined || transient.includes(reply.status);
	const seconds = Number(reply?.headers.get("Retry-After") ?? 0) || 0;
	if (failures >= times || !isTransient || seconds > maxRetryAfter) return;
	// Up to half more at random: clients that failed together must not return together.
	const backOff = delay * 2 ** failures * (1 + Math.random() / 2);
	return seconds * 1000 + Math.min(backOff, maxBackOffMs);
}

/** A timeout, a rate limit, or a failure of the store or of a gateway. */
const transient = [408, 429, 500, 502, 503, 504];
const maxRetryAfter = 30;
const maxBackOffMs = 10_000;

function toError(reply: Reply): PetstoreError {
	const { status, text } = reply;
	const { code, message } = toErrorBody(text);
	return typeof code === "string" && typeof message === "string"
		? new PetstoreError(code, message, toDetails(reply))
		: new PetstoreError(
				"http_error",
				`The store answered ${status} without an Error body: ${toExcerpt(text)}`,
				toDetails(reply),
			);
}

function toErrorBody(text: string): { code?: unknown; message?: unknown } {
	try {
		return { ...parseRounded<object>(text) };
	} catch {
		return {};
	}
}

/** Parses the body and converts it with `toValue`. Errors of both become a PetstoreError. */
export function readBody<Value>(
	reply: Reply,
	toValue: (json: unknown) => Value,
): Value {
	try {
		return toValue(parseExactly(reply.text));
	} catch (cause) {
		throw new PetstoreError(
			"invalid_reply",
			`The store answered ${reply.status} with an invalid body (${toReason(cause)}): ${toExcerpt(reply.text)}`,
			{ ...toDetails(reply), cause },
		);
	}
}

function toDetails({ status, headers }: Reply): ErrorDetails {
	return { status, requestId: headers.get("X-Request-Id") ?? undefined };
}

/** The start of a body, on one line. */
function toExcerpt(text: string): string {
	return JSON.stringify(text.slice(0, 100));
}

/** Undefined after `ms`. Rejects with the reason of the signal when that aborts. Both abort the work's signal and do not wait for it. */
async function within<Value>(
	ms: number,
	signal: AbortSignal | undefined,
	work: (signal: AbortSignal) => Promise<Value>,
): Promise<Value | undefined> {
	signal?.throwIfAborted();
	const controller = new AbortController();
	let clear = () => {};
	const ended = new Promise<undefined>((resolve, reject) => {
		const onAbort = () => reject(signal?.reason);
		const timer = setTimeout(resolve, Math.min(ms, maxTimerMs));
		signal?.addEventListener("abort", onAbort);
		clear = () => {
			clearTimeout(timer);
			signal?.removeEventListener("abort", onAbort);
		};
	});
	try {
		return await Promise.race([ended, work(controller.signal)]);
	} finally {
		clear();
		controller.abort();
	}
}

/** A longer timer would fire immediately. */
const maxTimerMs = 2 ** 31 - 1;
