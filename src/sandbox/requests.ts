// The last requests of the sandbox, for tests that check what their client sends.
import { nextTurn } from "../domain/async.ts";
import { flag, formed, oneOf, parsed, time, whole } from "../domain/scalar.ts";
import { optional, type ValuesOf } from "../domain/type.ts";
import { splitUrl } from "../http/router.ts";
import { maxBodyBytes, maxFaultDelayMs } from "../limits.ts";
import type { RecordedRequest } from "../testing/recorded-request.ts";
import { methods, operationOf, operations } from "./rules.ts";

/** More than a test sends. */
const maxRecordedRequests = 1_000;

/** A request in the sandbox, and what becomes of it. */
export interface Exchange {
	/** Complete when it is answered. */
	readonly record: {
		-readonly [Name in keyof RecordedRequest]: RecordedRequest[Name];
	};
	isAnswered: boolean;
	/** Whether the connection is closed instead of a reply. */
	isCut: boolean;
	/** Resolves when a reset cuts it. */
	readonly cut: PromiseWithResolvers<undefined>;
	/** What the service does for it. */
	work: Promise<unknown> | undefined;
	/** Call it before the reply is sent: a client that has the reply must find its request. */
	readonly end: () => Promise<void>;
}

export type Requests = ReturnType<typeof createRequests>;

export function createRequests() {
	/** In the order of their arrival. */
	let exchanges: readonly Exchange[] = [];
	const ofRequests = new WeakMap<Request, Exchange>();
	/** Called after each change, and for the last time at a reset. */
	const waiting = new Set<(isLast: boolean) => void>();

	function changed(isLast: boolean): void {
		for (const look of waiting) look(isLast);
	}

	/** Those in progress stay, so that a reset can cut them. */
	function removeOld(): void {
		const answered = exchanges.filter(({ isAnswered }) => isAnswered);
		const old = new Set(answered.slice(0, -maxRecordedRequests));
		if (old.size > 0) exchanges = exchanges.filter((one) => !old.has(one));
	}

	return {
		/** Call it before the body is read. */
		begin(request: Request): Exchange {
			const readBody = copyBody(request);
			const begunAt = performance.now();
			const exchange: Exchange = {
				record: toRecord(request),
				isAnswered: false,
				isCut: false,
				cut: Promise.withResolvers(),
				work: undefined,
				async end() {
					const { record } = exchange;
					const ms = performance.now() - begunAt;
					record.durationMs = Math.round(ms * 10) / 10;
					const body = await readBody();
					record.body = isSignIn(record) && body !== "" ? "***" : body;
					exchange.isAnswered = true;
					exchange.work = undefined;
					removeOld();
					changed(false);
				},
			};
			exchanges = [...exchanges, exchange];
			ofRequests.set(request, exchange);
			return exchange;
		},
		of: (request: Request) => ofRequests.get(request),
		/** Resolves with the answered requests, oldest first: once `count` match, after `wait`, or at a reset. */
		list({ count = 0, wait = 0, ...filter }: RequestQuery) {
			return new Promise<readonly RecordedRequest[]>((resolve) => {
				function look(isLast: boolean): void {
					const found = exchanges
						.filter(({ isAnswered }) => isAnswered)
						.map(({ record }) => record)
						.filter((record) => matches(record, filter));
					if (!isLast && found.length < count) return;
					clearTimeout(timer);
					waiting.delete(look);
					resolve(found);
				}
				const timer = setTimeout(look, wait, true);
				waiting.add(look);
				look(false);
			});
		},
		/** Requests in progress stay: they are recorded when they are answered. */
		clear(): void {
			exchanges = exchanges.filter(({ isAnswered }) => !isAnswered);
		},
		/** Cuts the requests in progress, which are not recorded then. Returns what the service still does for them. */
		reset() {
			const ended = exchanges.filter(({ isAnswered }) => !isAnswered);
			exchanges = [];
			for (const exchange of ended) {
				exchange.isCut = true;
				exchange.cut.resolve(undefined);
			}
			changed(true);
			return ended.map(({ work }) => work);
		},
		/** Ends all waits. */
		close: () => changed(true),
	};
}

/** Of a list. A misspelt value must fail: it would match no request, and a test that expects none would pass. */
export const parameters = {
	operation: optional(operationOf("Only for this operation.")),
	method: optional(oneOf("Only with this method.", [...methods, "OPTIONS"])),
	path: optional(
		formed(
			"Only with this path.",
			/^\/[^?#]*$/,
			"must begin with / and have no query",
			{},
		),
	),
	header: optional(
		parsed(
			"Only with this header.",
			toHeader,
			"must be Name:value",
			String,
			{},
		),
	),
	preflights: optional(flag("Preflights of browsers too.")),
	since: optional(time("Only from this time on.")),
	count: optional(whole("How many to wait for.", 0, maxRecordedRequests)),
	wait: optional(whole("How long, in milliseconds.", 0, maxFaultDelayMs)),
};

type RequestQuery = Partial<ValuesOf<typeof parameters>>;

/** The name in lower case, and the value. */
function toHeader(text: string): readonly [string, string] | undefined {
	const [, name, value] = /^([\w!#$%&'*+.^`|~-]+): *(.*)$/.exec(text) ?? [];
	return name === undefined || value === undefined
		? undefined
		: [name.toLowerCase(), value];
}

function matches(
	{ operation, method, path, headers, at }: RecordedRequest,
	filter: RequestQuery,
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

/** Without the secrets of the client, and without what only the reply shows. */
function toRecord({ url, method, headers: sent }: Request): Exchange["record"] {
	const { path, query } = splitUrl(url);
	const headers = Object.fromEntries(sent);
	for (const [name, secret] of Object.entries(secrets))
		if (headers[name] !== undefined)
			headers[name] = headers[name].replace(secret, "$1***");
	const asked = method === "HEAD" ? "GET" : method;
	const operation = operations.find(
		({ method, form }) => method === asked && form.test(path),
	);
	return {
		method,
		path: query === "" ? path : `${path}?${query}`,
		headers,
		body: "",
		status: null,
		unsentStatus: null,
		requestId: null,
		operation: operation?.id ?? null,
		fault: null,
		key: null,
		at: new Date().toISOString(),
		durationMs: 0,
	};
}

/** Keeps a known scheme. */
const credentials = /^((?:bearer|basic) +)?.*$/is;

const secrets = {
	authorization: credentials,
	"proxy-authorization": credentials,
	// Other cookies belong to the client's tests.
	cookie: /((?:^|;\s*)(?:__Host-)?petstore=)[^;]*/g,
};

/** Its body is a key or a link. */
function isSignIn({ path }: RecordedRequest): boolean {
	return path.startsWith("/operator/v1/sessions");
}

/** Reads a copy of the body while the service reads the body. The result returns what has arrived. */
function copyBody(request: Request): () => Promise<string> {
	const chunks: Uint8Array[] = [];
	async function read(): Promise<void> {
		let size = 0;
		for await (const chunk of request.clone().body ?? []) {
			chunks.push(chunk);
			size += chunk.byteLength;
			if (size >= maxBodyBytes) return;
		}
	}
	// A disconnected client leaves a part of it.
	read().catch(() => {});
	return async () => {
		// The copy may be some microtasks behind the service.
		await nextTurn();
		return Buffer.concat(chunks).subarray(0, maxBodyBytes).toString();
	};
}
