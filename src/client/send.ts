// Sends a request, retries transient failures, and returns the reply.
import type { CallOptions, Settings } from "./options.ts";
import { PetstoreError, type Reply, toError } from "./reply.ts";

export interface Outgoing {
	readonly url: string;
	/** Added to the usual headers. */
	readonly headers?: Readonly<Record<string, string>> | undefined;
	/** JSON text. With a body the method is POST, else GET. */
	readonly body?: string;
}

/** Returns a success. Rejects with a PetstoreError, or with the reason of the caller's signal. */
export async function send(
	settings: Settings,
	request: Outgoing,
	{ signal, timeout = settings.timeout }: CallOptions,
): Promise<Reply> {
	const { url } = request;
	const init = toInit(settings, request);
	for (let failures = 0; ; failures++) {
		const { reply, error } = await within<Outcome>(
			timeout,
			signal,
			() => fail("timeout", `no complete reply after ${timeout} ms`),
			async (ending) => {
				const response = await settings.fetch(url, { ...init, signal: ending });
				const { status, headers } = response;
				const text = await response.text();
				const reply = { url: response.url || url, status, headers, text };
				return { reply, error: toError(reply) };
			},
		).catch((cause) => {
			signal?.throwIfAborted();
			return fail("network", toReason(cause), cause);
		});
		if (error === undefined) return reply;
		const delay = toDelay(reply, failures);
		if (delay === undefined || failures >= settings.retries) throw error;
		await within(
			delay,
			signal,
			() => {},
			() => new Promise(() => {}),
		);
	}

	function fail(code: string, reason: string, cause?: unknown): Outcome {
		const message = `${init.method} ${url} failed: ${reason}`;
		const error = new PetstoreError(code, message, { cause });
		return { reply: undefined, error };
	}
}

type Outcome =
	| { readonly reply: Reply; readonly error: undefined }
	| { readonly reply: Reply | undefined; readonly error: PetstoreError };

/** Built once, before the first attempt: an invalid header value must not be retried. */
function toInit({ key }: Settings, request: Outgoing): RequestInit {
	const { body } = request;
	const headers = new Headers({
		Accept: "application/json",
		Authorization: `Bearer ${key}`,
		...(body !== undefined && { "Content-Type": "application/json" }),
		...request.headers,
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

/**
 * Milliseconds before the next attempt; undefined if the failure is final. `reply` is undefined after a network failure. `failures` counts
 * the failed attempts before this one.
 */
export function toDelay(
	reply: Reply | undefined,
	failures: number,
): number | undefined {
	if (reply !== undefined && !transient.includes(reply.status))
		return undefined;
	const seconds = Number(reply?.headers.get("Retry-After") ?? 0) || 0;
	if (seconds > maxRetryAfter) return undefined;
	// Full jitter: clients that failed together must not return together, even after a Retry-After.
	return (
		seconds * 1000 + Math.random() * Math.min(firstMs * 2 ** failures, maxMs)
	);
}

/** A timeout, a rate limit, or a failure of the store or of a gateway. */
const transient = [408, 429, 500, 502, 503, 504];
const maxRetryAfter = 30;
const firstMs = 200;
const maxMs = 10_000;

/**
 * Settles like `work`; after `ms`, like `onTime`. When the signal aborts, rejects with its reason. Both also abort the signal of `work`,
 * and do not wait for it.
 */
async function within<Value>(
	ms: number,
	signal: AbortSignal | undefined,
	onTime: () => Value,
	work: (signal: AbortSignal) => Promise<Value>,
): Promise<Value> {
	signal?.throwIfAborted();
	const controller = new AbortController();
	let clear = () => {};
	const ended = new Promise<void>((resolve, reject) => {
		const onAbort = () => reject(signal?.reason);
		const timer = setTimeout(resolve, Math.min(ms, maxTimerMs));
		signal?.addEventListener("abort", onAbort);
		clear = () => {
			clearTimeout(timer);
			signal?.removeEventListener("abort", onAbort);
		};
	});
	try {
		return await Promise.race([ended.then(onTime), work(controller.signal)]);
	} finally {
		clear();
		controller.abort();
	}
}

/** A longer timer would fire immediately. */
const maxTimerMs = 2 ** 31 - 1;
