// Records the last answered requests, for tests that check what their client sends.
import { setImmediate as nextIteration } from "node:timers/promises";
import { operator } from "../contract/operator/interface.ts";
import { toTargetText } from "../http/target.ts";
import { maxBodyBytes } from "../limits.ts";

/** Requests that GET /sandbox/requests shows, and their text together: more than a test sends, and little for any machine. */
const maxRecordedRequests = 1_000;
const maxRecordedLength = 16 * 1024 * 1024;

export interface RecordedRequest {
	readonly method: string;
	/** With its query. */
	readonly path: string;
	/** Names in lower case. */
	readonly headers: Readonly<Record<string, string>>;
	/** As far as it arrived before the reply, up to `maxBodyBytes`. */
	readonly body: string;
	/** Null if the connection was cut in place of a reply. */
	readonly status: number | null;
}

export type Requests = ReturnType<typeof createRequests>;

export function createRequests() {
	let entries: Entry[] = [];
	let length = 0;

	function remove(): void {
		length -= entries.shift()?.length ?? 0;
	}

	return {
		/** Call it before the body is read, and the result before the reply is sent, so that the client then finds its request recorded. */
		begin(request: Request): (status: number | null) => Promise<void> {
			const entry: Entry = { recorded: undefined, length: 0 };
			const body = readBody(request);
			entries.push(entry);
			if (entries.length > maxRecordedRequests) remove();
			return async (status) => {
				const recorded = toRecorded(request, await body(), status);
				if (!entries.includes(entry)) return;
				entry.recorded = recorded;
				entry.length = JSON.stringify(recorded).length;
				length += entry.length;
				while (length > maxRecordedLength) remove();
			};
		},
		/** The answered requests, in the order of their arrival. */
		list: () => entries.flatMap(({ recorded }) => recorded ?? []),
		/** Requests in progress stay: they are recorded when they are answered. */
		clear(): void {
			entries = entries.filter(({ recorded }) => recorded === undefined);
			length = 0;
		},
		/** Requests in progress are never recorded. */
		reset(): void {
			entries = [];
			length = 0;
		},
	};
}

interface Entry {
	/** Undefined until the request is answered. */
	recorded: RecordedRequest | undefined;
	length: number;
}

function toRecorded(
	request: Request,
	body: string,
	status: number | null,
): RecordedRequest {
	const target = toTargetText(request.url);
	const headers = Object.fromEntries(request.headers);
	for (const name of ["authorization", "proxy-authorization"])
		if (headers[name] !== undefined)
			headers[name] = maskCredentials(headers[name]);
	if (headers.cookie !== undefined)
		headers.cookie = maskSession(headers.cookie);
	return {
		method: request.method,
		path: target,
		headers,
		body: target.startsWith(signInPath) && body !== "" ? "***" : body,
		status,
	};
}

/** The body of a request to sign in is a key or a link. */
const signInPath = operator.prefix + operator.operations.signIn.path;

/** Keeps the scheme. */
function maskCredentials(authorization: string): string {
	return authorization.replace(/^((?:bearer|basic) +)?.*$/is, "$1***");
}

/** Keeps the cookies of the client's tests. */
function maskSession(cookie: string): string {
	return cookie.replace(/((?:^|;\s*)(?:__Host-)?petstore=)[^;]*/g, "$1***");
}

/** Reads a copy of the body. The result returns what has arrived, and stops reading. */
function readBody(request: Request): () => Promise<string> {
	if (request.body === null) return async () => "";
	const reader = request.clone().body?.getReader();
	const chunks: Uint8Array[] = [];
	async function read(): Promise<void> {
		for (let size = 0; size < maxBodyBytes; ) {
			const { done, value } = (await reader?.read()) ?? { done: true };
			if (done || value === undefined) return;
			size += value.byteLength;
			chunks.push(value);
		}
	}
	// The client may close its connection.
	read().catch(() => {});
	return async () => {
		// The copy may be some microtasks behind the service.
		await nextIteration();
		reader?.cancel().catch(() => {});
		return Buffer.concat(chunks).subarray(0, maxBodyBytes).toString();
	};
}
