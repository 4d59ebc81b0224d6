// Sends the console's requests to `/operator/v1`, with the cookie of the session, and reads their replies with exact int64.
import { errorStatus } from "../../../domain/errors.ts";
import type { Connection } from "./connection.ts";
import { ApiError, hasCode, toApiError } from "./error.ts";
import { fetchText, type SendOptions, toBody } from "./request.ts";

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
		const { isRead = method === "GET" } = options;
		const { ok, status, text } = await fetchText(
			method,
			base + path,
			options,
			`The service does not answer.${isRead ? "" : " The change may have been saved."}`,
		);
		const body = toBody(text);
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
