// Sends a request, repeats it after transient failures, and returns the reply; the error of every failed call.
import { parseExactly, parseRounded } from "./json.ts";
import {
	type CallOptions,
	callOptions,
	check,
	requireKnown,
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
	// The build minifies the name of the class, which Node.js prints.
	static override readonly name = "PetstoreError";

	constructor(code: string, message: string, details: ErrorDetails = {}) {
		super(message, details);
		this.name = "PetstoreError";
		this.code = code;
		this.status = details.status;
		this.requestId = details.requestId;
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

interface Outgoing {
	readonly url: string;
	/** With a body the method is POST, else GET. */
	readonly body?: string;
	readonly headers?: Readonly<Record<string, string>>;
}

/** Returns a success. Rejects with a PetstoreError, or with the reason of the caller's signal. */
export async function send(
	settings: Settings,
	{ url, body, headers }: Outgoing,
	options: CallOptions = {},
): Promise<Reply> {
	requireKnown(options, callOptions);
	const { signal, timeout = settings.timeout } = options;
	check("signal", !signal || "aborted" in Object(signal), "an AbortSignal");
	const { key } = settings;
	const init: RequestInit = {
		method: body === undefined ? "GET" : "POST",
		// fetch follows most redirects with a GET, which adds no animal.
		redirect: body === undefined ? "follow" : "error",
		headers: { Authorization: `Bearer ${key}`, ...headers },
		body: body ?? null,
	};
	for (let failures = 0; ; failures++) {
		const outcome = await within(timeout, signal, async (ending) => {
			const response = await settings.fetch(url, { ...init, signal: ending });
			const { status, headers } = response;
			const text = await response.text();
			return { url: response.url || url, status, headers, text };
		}).then(
			(reply) => reply ?? fail("timeout", `no complete reply in ${timeout} ms`),
			(cause) => {
				signal?.throwIfAborted();
				return fail("network", toReason(cause), { cause });
			},
		);
		const isReply = !(outcome instanceof PetstoreError);
		if (isReply && outcome.headers.has("Deprecation"))
			settings.onDeprecation?.(outcome.headers, outcome.url);
		if (isReply && outcome.status < 300) return outcome;
		const delay = toDelay(settings, failures, isReply ? outcome : undefined);
		if (delay === undefined) throw isReply ? toError(outcome) : outcome;
		await within(delay, signal, () => new Promise(() => {}));
	}

	function fail(code: string, reason: string, details?: ErrorDetails) {
		const message = `${init.method} ${url} failed: ${reason}`;
		return new PetstoreError(code, message, details);
	}
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
	const asked = reply === undefined ? 0 : toAskedMs(reply.headers);
	if (failures >= times || !isTransient || asked > maxAskedMs) return;
	// Up to half more at random: clients that failed together must not return together.
	const backOff = Math.min(delay * 2 ** failures, maxBackOffMs);
	return asked + backOff * (1 + Math.random() / 2);
}

/** What Retry-After asks for: seconds, or a time by the clock of the store. */
function toAskedMs(headers: Headers): number {
	const text = headers.get("Retry-After") ?? "";
	if (/^\d+$/.test(text)) return Number(text) * 1000;
	const now = toTime(headers.get("Date") ?? "") || Date.now();
	return Math.max(toTime(text) - now, 0) || 0;
}

/** One of the three forms of RFC 9110, of which the oldest names no zone. */
function toTime(text: string): number {
	return Date.parse(text.endsWith("GMT") ? text : `${text} GMT`);
}

/** A timeout, a rate limit, or a failure of the store or of a gateway. */
const transient = [408, 429, 500, 502, 503, 504];
const maxAskedMs = 30_000;
const maxBackOffMs = 10_000;

function toError(reply: Reply): PetstoreError {
	try {
		const { code, message } = parseRounded<Partial<PetstoreError>>(reply.text);
		if (typeof code === "string" && typeof message === "string")
			return new PetstoreError(code, message, toDetails(reply));
	} catch {
		// A gateway, or another server.
	}
	return toBadReply("http_error", "without an Error body", reply);
}

/** Parses the body and converts it with `toValue`. */
export function readBody<Value>(
	reply: Reply,
	toValue: (json: unknown) => Value,
): Value {
	try {
		return toValue(parseExactly(reply.text));
	} catch (cause) {
		const what = `with an invalid body (${toReason(cause)})`;
		throw toBadReply("invalid_reply", what, reply, { cause });
	}
}

function toBadReply(
	code: string,
	what: string,
	reply: Reply,
	details?: ErrorDetails,
) {
	const start = JSON.stringify(reply.text.slice(0, 100));
	const message = `The store answered ${reply.status} ${what}: ${start}`;
	return new PetstoreError(code, message, { ...toDetails(reply), ...details });
}

function toDetails({ status, headers }: Reply): ErrorDetails {
	return { status, requestId: headers.get("X-Request-Id") ?? undefined };
}

/** Undefined after `ms`. Rejects with the reason of the signal when that aborts. Both abort the work's signal and do not wait for it. */
async function within<Value>(
	ms: number,
	signal: AbortSignal | undefined,
	work: (signal: AbortSignal) => Promise<Value>,
): Promise<Value | undefined> {
	signal?.throwIfAborted();
	const ending = new AbortController();
	const ended = new Promise<undefined>((resolve, reject) => {
		// A longer timer would fire immediately.
		const timer = setTimeout(resolve, Math.min(ms, 2 ** 31 - 1));
		ending.signal.addEventListener("abort", () => clearTimeout(timer));
		const onAbort = () => reject(signal?.reason);
		signal?.addEventListener("abort", onAbort, { signal: ending.signal });
	});
	try {
		return await Promise.race([ended, work(ending.signal)]);
	} finally {
		ending.abort();
	}
}
