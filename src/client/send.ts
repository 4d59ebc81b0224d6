// Sends a request, retries transient failures, and returns the reply.
import type { CallOptions, Operation, Settings } from "./options.ts";
import {
	PetstoreError,
	type Reply,
	toError,
	toNotice,
	toReply,
} from "./reply.ts";
import { pause, toDelay, within } from "./retry.ts";

export interface Outgoing {
	readonly operation: Operation;
	readonly url: string;
	/** Added to the usual headers. */
	readonly headers?: Readonly<Record<string, string>> | undefined;
	/** JSON text. With a body the method is POST, else GET. */
	readonly body?: string;
}

/** Returns a success or a 304. Rejects with a PetstoreError, or with the reason of the caller's signal. */
export async function send(
	settings: Settings,
	request: Outgoing,
	{ signal, timeout = settings.timeout }: CallOptions,
): Promise<Reply> {
	const { operation, url } = request;
	const init = toInit(settings, request);
	for (let failures = 0; ; failures++) {
		const { reply, error } = await within<Outcome>(
			timeout,
			signal,
			() => fail("timeout", `no complete reply after ${timeout} ms`),
			async (ending) => {
				const response = await settings.fetch(url, { ...init, signal: ending });
				const reply = await toReply(response, url);
				return { reply, error: toError(reply) };
			},
		).catch((cause) => {
			signal?.throwIfAborted();
			return fail("network", toReason(cause), cause);
		});
		const notice = reply && toNotice(operation, reply);
		if (notice !== undefined) settings.onDeprecation(notice);
		if (error === undefined) return reply;
		const delay = toDelay(reply, failures);
		if (delay === undefined || failures >= settings.retries) throw error;
		await pause(delay, signal);
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
