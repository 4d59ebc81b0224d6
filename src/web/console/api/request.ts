// One HTTP request and its reply, within a time limit.
import { parseExactly } from "../../../client/json.ts";
import { ApiError } from "./error.ts";
import { toJson } from "./values.ts";

/** A request fails after this time. The service answers sooner, unless the network loses packets. */
export const consoleTimeoutMs = 15_000;

export interface SendOptions {
	/** A file is sent as it is, everything else as JSON. */
	readonly body?: object;
	readonly headers?: Readonly<Record<string, string>>;
	readonly ending?: AbortSignal | undefined;
	/** For a slow request. */
	readonly timeoutMs?: number;
	/** Whether it changes nothing. */
	readonly isRead?: boolean;
}

/** Throws an error with the code `network` and this message if no reply comes. */
export async function fetchText(
	method: string,
	url: string,
	options: SendOptions,
	noReply: string,
) {
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
		return { ok, status, text: await response.text() };
	} catch {
		ending?.throwIfAborted();
		throw new ApiError("network", noReply);
	}
}

/** Undefined if it is not JSON. */
export function toBody(text: string): unknown {
	try {
		return parseExactly(text);
	} catch {
		return undefined;
	}
}
