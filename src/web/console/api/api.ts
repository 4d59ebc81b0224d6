// Sends the console's requests to `/operator/v1`, with the cookie of the session, and reads their replies with exact int64.
import { parseExactly } from "../../../client/json.ts";
import { errorStatus } from "../../../domain/errors.ts";
import type { Connection } from "./connection.ts";
import { ApiError, hasCode, toApiError } from "./error.ts";
import { toJson } from "./values.ts";

/** A request fails after this time. The service answers sooner, unless the network loses packets. */
export const consoleTimeoutMs = 15_000;

interface SendOptions {
	/** A file is sent as it is, everything else as JSON. */
	readonly body?: object;
	readonly headers?: Readonly<Record<string, string>>;
	readonly ending?: AbortSignal | undefined;
	/** For a slow request. */
	readonly timeoutMs?: number;
	/** Whether it changes nothing. */
	readonly isRead?: boolean;
}

export type Api = ReturnType<typeof createApi>;

/** `base` is the address of `/operator/v1`. */
export function createApi(base: string, connection: Connection) {
	/** Resolves to the body of the reply; undefined without one. */
	async function send(
		method: string,
		path: string,
		options: SendOptions = {},
	): Promise<unknown> {
		const sentAt = performance.now();
		const { ok, status, body } = await exchange(method, base + path, options);
		if (ok) {
			connection.trouble.value = undefined;
			return body;
		}
		// A refused sign-in does not end a session.
		if (
			status === errorStatus.unauthenticated &&
			!path.startsWith("/sessions")
		) {
			connection.endSession(sentAt);
			// The message of the service is for programs: it names headers.
			throw new ApiError("session_ended", "Your session has ended.");
		}
		throw toApiError(body, `The service answered with status ${status}.`);
	}

	/** Repeats a GET until the service answers and somebody is signed in, or until the signal is aborted. */
	async function read(path: string, ending?: AbortSignal): Promise<unknown> {
		for (let failures = 0; ; failures++)
			try {
				return await send("GET", path, { ending });
			} catch (error) {
				if (hasCode(error, "session_ended")) {
					if (connection.session.peek().kind !== "signed in")
						await connection.wait(Infinity, ending);
				} else if (hasCode(error, ...transient)) {
					connection.trouble.value = error;
					const ms = Math.min(1_000 * 2 ** failures, 8_000);
					await connection.wait(ms, ending);
				} else throw error;
			}
	}

	return { base, read, send };
}

/** After one of these codes, the same request may succeed in a moment. */
const transient = ["network", "unavailable", "rate_limited"] as const;

async function exchange(method: string, url: string, options: SendOptions) {
	const { body, headers, ending } = options;
	const isJson = body !== undefined && !(body instanceof Blob);
	const timeout = AbortSignal.timeout(options.timeoutMs ?? consoleTimeoutMs);
	try {
		const response = await fetch(url, {
			method,
			headers: {
				...(isJson && { "Content-Type": "application/json" }),
				...headers,
			},
			...(body !== undefined && { body: isJson ? toJson(body) : body }),
			cache: "no-store",
			signal: AbortSignal.any(ending ? [ending, timeout] : [timeout]),
		});
		const { ok, status } = response;
		return { ok, status, body: toBody(await response.text()) };
	} catch {
		ending?.throwIfAborted();
		const { isRead = method === "GET" || method === "HEAD" } = options;
		throw new ApiError(
			"network",
			`The service does not answer.${isRead ? "" : " The change may have been saved."}`,
		);
	}
}

function toBody(text: string): unknown {
	try {
		return parseExactly(text);
	} catch {
		return undefined;
	}
}
