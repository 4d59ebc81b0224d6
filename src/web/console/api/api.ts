// Sends the console's requests to `/operator/v1`, with the cookie of the session, and reads their replies with exact int64.
import { parseExactly } from "../../../client/json.ts";
import { errorStatus } from "../../../domain/errors.ts";
import { ApiError, hasCode, isTransient, toApiError } from "./error.ts";
import type { Connection } from "./outage.ts";
import { toJson } from "./values.ts";

/** A request fails after this time. The service answers sooner; this is for a network that loses packets. */
export const consoleTimeoutMs = 15_000;

/** Both resolve to the body of the reply: undefined if it has none. */
export interface Api {
	/** The address of `/operator/v1`, for downloads. */
	readonly base: string;
	/** Gets. It repeats the request until the service answers and somebody is signed in, or until the signal is aborted. */
	readonly read: (path: string, ending?: AbortSignal) => Promise<unknown>;
	readonly send: (
		method: string,
		path: string,
		options?: SendOptions,
	) => Promise<unknown>;
}

export interface SendOptions {
	readonly body?: object;
	readonly headers?: Readonly<Record<string, string>>;
	/** Whether the request goes on when the page is closed. */
	readonly keepalive?: boolean;
	readonly ending?: AbortSignal | undefined;
}

export function createApi(options: {
	base: string;
	connection: Connection;
	/** Called when a request is refused because nobody is signed in, with the time when it was sent. */
	onSignedOut: (sentAt: number) => void;
	untilSignedIn: (ending?: AbortSignal) => Promise<void>;
}): Api {
	const { base, connection, onSignedOut, untilSignedIn } = options;

	async function send(
		method: string,
		path: string,
		sent: SendOptions = {},
	): Promise<unknown> {
		const sentAt = performance.now();
		try {
			const reply = await exchange(method, base + path, sent);
			connection.succeed();
			return reply;
		} catch (error) {
			if (!isSignedOut(error, path)) throw error;
			onSignedOut(sentAt);
			// The service's own sentence is for programs: it names headers.
			throw new ApiError("session_ended", "Your session has ended.");
		}
	}

	async function read(path: string, ending?: AbortSignal): Promise<unknown> {
		for (let failures = 0; ; failures++)
			try {
				return await send("GET", path, { ending });
			} catch (error) {
				if (hasCode(error, "session_ended")) await untilSignedIn(ending);
				else if (isTransient(error)) {
					connection.fail(error);
					await connection.wait(failures, ending);
				} else throw error;
			}
	}

	return { base, read, send };
}

/** A sign-in that is refused ends no session. */
function isSignedOut(error: unknown, path: string): boolean {
	return hasCode(error, "unauthenticated") && !path.startsWith("/sessions");
}

async function exchange(
	method: string,
	url: string,
	{ body, headers, keepalive = false, ending }: SendOptions,
): Promise<unknown> {
	const timeout = AbortSignal.timeout(consoleTimeoutMs);
	const fail = (cause: unknown) => {
		ending?.throwIfAborted();
		throw noReply(method, cause);
	};
	const response = await fetch(url, {
		method,
		headers: {
			...(body !== undefined && { "Content-Type": "application/json" }),
			...headers,
		},
		...(body !== undefined && { body: toJson(body) }),
		cache: "no-store",
		keepalive,
		signal: ending === undefined ? timeout : AbortSignal.any([ending, timeout]),
	}).catch(fail);
	return toReply(response, await response.text().catch(fail));
}

function noReply(method: string, cause: unknown): ApiError {
	const message =
		method === "GET" || method === "HEAD"
			? "The service does not answer."
			: "The service does not answer. It is not known whether this was done.";
	return new ApiError("network", message, { cause });
}

function toReply({ ok, status }: Response, text: string): unknown {
	const body = toBody(text);
	if (ok) return body;
	const message = `The service answered with status ${status}.`;
	// The reply to a HEAD has no body.
	if (status === errorStatus.unauthenticated && body === undefined)
		throw new ApiError("unauthenticated", message);
	throw toApiError(body, message);
}

/** Undefined if it is not JSON, or empty. */
function toBody(text: string): unknown {
	try {
		return parseExactly(text);
	} catch {
		return undefined;
	}
}
