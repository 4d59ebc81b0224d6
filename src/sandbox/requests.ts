// The last answered requests of the sandbox, for tests that check what their client sends.
import { setImmediate as nextIteration } from "node:timers/promises";
import { toJson } from "../domain/json.ts";
import { splitUrl } from "../http/router.ts";
import { maxBodyBytes } from "../limits.ts";
import type { RecordedRequest } from "../testing/recorded-request.ts";
import type { Exchange } from "./faults.ts";

/** Limits of the recorded requests and of their total text: more than a test sends, and little enough for any machine. */
const maxRecordedRequests = 1_000;
const maxRecordedLength = 16 * 1024 * 1024;

/** What is known only after the request is answered. */
type Answered = Omit<Exchange, "isCut"> &
	Pick<RecordedRequest, "status" | "requestId" | "operation">;

/** Undefined members match any request. */
export interface RequestFilter {
	readonly operation?: string | undefined;
	readonly method?: string | undefined;
	/** Without the query. */
	readonly path?: string | undefined;
	readonly header?: readonly [name: string, value: string] | undefined;
	/** Milliseconds since 1970. */
	readonly since?: number | undefined;
	/** Whether preflights of browsers match too. */
	readonly preflights?: boolean | undefined;
}

export type Requests = ReturnType<typeof createRequests>;

interface Entry {
	/** Undefined until the request is answered. */
	recorded: RecordedRequest | undefined;
	length: number;
}

export function createRequests() {
	let entries: Entry[] = [];
	/** Called after each change, and for the last time at a reset. */
	const waiting = new Set<(isLast: boolean) => void>();

	function changed(isLast: boolean): void {
		for (const look of waiting) look(isLast);
	}

	function removeOld(): void {
		let length = entries.reduce((sum, entry) => sum + entry.length, 0);
		while (entries.length > maxRecordedRequests || length > maxRecordedLength)
			length -= entries.shift()?.length ?? 0;
	}

	return {
		/**
		 * Starts to record a request; call it before the body is read. Call the result before the reply is sent: a client that has the reply
		 * must find its request.
		 */
		begin(request: Request): (answered: Answered) => Promise<void> {
			const entry: Entry = { recorded: undefined, length: 0 };
			const body = readBody(request);
			const at = new Date().toISOString();
			const begunAt = performance.now();
			entries.push(entry);
			return async (answered) => {
				const durationMs = Math.round((performance.now() - begunAt) * 10) / 10;
				const sent = toSent(request, await body());
				const { status, unsentStatus, requestId, operation, fault, key } =
					answered;
				const recorded: RecordedRequest = {
					...sent,
					...{ status, unsentStatus, requestId, operation, fault, key },
					at,
					durationMs,
				};
				entry.recorded = recorded;
				entry.length = toJson(recorded).length;
				removeOld();
				changed(false);
			};
		},
		/** Resolves with the answered requests, oldest first: once `count` match, after `ms`, or at a reset. */
		list(
			filter: RequestFilter,
			count = 0,
			ms = 0,
		): Promise<readonly RecordedRequest[]> {
			return new Promise((resolve) => {
				function look(isLast: boolean): void {
					const found = entries
						.flatMap(({ recorded }) => recorded ?? [])
						.filter((recorded) => matches(recorded, filter));
					if (!isLast && found.length < count) return;
					clearTimeout(timer);
					waiting.delete(look);
					resolve(found);
				}
				const timer = setTimeout(look, ms, true);
				waiting.add(look);
				look(false);
			});
		},
		/** Requests in progress stay: they are recorded when they are answered. */
		clear(): void {
			entries = entries.filter(({ recorded }) => recorded === undefined);
		},
		/** Requests in progress are not recorded either. */
		reset(): void {
			entries = [];
			changed(true);
		},
		/** Ends all waits. */
		close: () => changed(true),
	};
}

function matches(
	{ operation, method, path, headers, at }: RecordedRequest,
	filter: RequestFilter,
): boolean {
	const [ownPath = ""] = path.split("?");
	const [name = "", value] = filter.header ?? [];
	const isPreflight =
		method === "OPTIONS" && "access-control-request-method" in headers;
	return (
		(filter.operation ?? operation) === operation &&
		(filter.method ?? method) === method &&
		(filter.path ?? ownPath) === ownPath &&
		(value ?? headers[name]) === headers[name] &&
		(filter.since ?? 0) <= Date.parse(at) &&
		(filter.preflights === true || !isPreflight)
	);
}

/** What the client has sent, without its secrets. */
function toSent(request: Request, body: string) {
	const { path: own, query } = splitUrl(request.url);
	const path = query === "" ? own : `${own}?${query}`;
	const headers = Object.fromEntries(request.headers);
	for (const [name, secret] of Object.entries(secrets))
		if (headers[name] !== undefined)
			headers[name] = headers[name].replace(secret, "$1***");
	return {
		method: request.method,
		path,
		headers,
		body: path.startsWith(signInPath) && body !== "" ? "***" : body,
	};
}

/** The body of a request to sign in is a key or a link. */
const signInPath = "/operator/v1/sessions";

/** Keeps a known scheme. */
const credentials = /^((?:bearer|basic) +)?.*$/is;

const secrets = {
	authorization: credentials,
	"proxy-authorization": credentials,
	// Other cookies belong to the client's tests.
	cookie: /((?:^|;\s*)(?:__Host-)?petstore=)[^;]*/g,
};

/** Reads a copy of the body while the service reads the body. The result stops that and returns what has arrived. */
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
	// A disconnected client leaves a part of it.
	read().catch(() => {});
	return async () => {
		// The copy may be some microtasks behind the service.
		await nextIteration();
		reader?.cancel().catch(() => {});
		return Buffer.concat(chunks).subarray(0, maxBodyBytes).toString();
	};
}
