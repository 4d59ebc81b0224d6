// The last requests of the sandbox, for tests that check what their client sends.
import { once } from "node:events";
import {
	setImmediate as next,
	setTimeout as sleep,
} from "node:timers/promises";
import { toUnknown } from "../domain/types/object.ts";
import { flag, formed, oneOf, time, whole } from "../domain/types/scalar.ts";
import {
	optional,
	requireValid,
	type Type,
	type ValuesOf,
} from "../domain/types/type.ts";
import type { App } from "../http/app.ts";
import { readQuery } from "../http/operations.ts";
import { splitUrl } from "../http/router.ts";
import type { Source } from "../http/surface.ts";
import { toJson } from "../json.ts";
import { maxBodyBytes, maxFaultDelayMs } from "../limits.ts";
import type { RequestFilter } from "../testing/control.ts";
import type { RecordedRequest } from "../testing/recorded-request.ts";
import {
	type Exchange,
	noEffect,
	type Recording,
	toSent,
	wait,
} from "./exchange.ts";
import { methods, operationOf, operations } from "./rules.ts";

/** More than a test sends. */
const maxRecordedRequests = 1_000;
/** Of the JSON of all together. The page of the sandbox reads them again and again. */
const maxRecordedBytes = 16 * 1024 * 1024;

export function createRequests(
	/** Of each request to an interface, even if it is refused, in milliseconds. */
	delay = 0,
) {
	/** In the order of their arrival. */
	let answered: readonly Answered[] = [];
	const inProgress = new Map<Request, Exchange>();
	let resets = 0;
	/** Resets run one after the other, and requests wait for them. */
	let resetting: Promise<unknown> = Promise.resolve();

	async function answer(
		app: Pick<App, "answer">,
		request: Request,
		source: Source,
	): Promise<Response> {
		const readBody = copyBody(request);
		const record = toRecord(request);
		const ending = new AbortController();
		const begunAt = performance.now();
		const effect = noEffect;
		const exchange: Exchange = { record, ending, begunAt, effect };
		inProgress.set(request, exchange);
		const { signal } = ending;
		await resetting;
		if (isDelayed(record)) await wait(delay, exchange, { request, source });
		if (signal.aborted) return source.cut(request);
		const work = app.answer(request, source);
		exchange.work = work;
		// Closing the connection ends a body that still arrives.
		await Promise.race([work, once(signal, "abort")]);
		if (signal.aborted) return source.cut(request);
		const response = await work;
		const sent = await toSent(response, request, exchange, source);
		record.requestId = response.headers.get("X-Request-Id");
		record.durationMs = Math.round((performance.now() - begunAt) * 10) / 10;
		const body = await readBody();
		record.body = isSignIn(record) && body !== "" ? "***" : body;
		if (signal.aborted) return source.cut(request);
		// The client has given up, and gets nothing.
		if (request.signal.aborted) record.unsentStatus ??= sent?.status ?? null;
		else record.status = sent?.status ?? null;
		// Before the reply is sent: a client that has the reply must find its request.
		inProgress.delete(request);
		const bytes = Buffer.byteLength(toJson(record));
		let total = 0;
		answered = [...answered, { record, begunAt, bytes }]
			.sort((one, other) => other.begunAt - one.begunAt)
			.slice(0, maxRecordedRequests)
			.filter(({ bytes }, index) => {
				total += bytes;
				return index === 0 || total <= maxRecordedBytes;
			})
			.reverse();
		return sent ?? source.cut(request);
	}

	/** The answered requests, oldest first: once `count` match, after `wait`, or at a reset. */
	async function list(
		query: RequestQuery,
	): Promise<readonly RecordedRequest[]> {
		const { count = 0, wait = 0 } = query;
		const resetsBefore = resets;
		const deadline = performance.now() + wait;
		for (;;) {
			const found = answered
				.map(({ record }) => record)
				.filter((record) => matches(record, query));
			const isLate = resets > resetsBefore || performance.now() >= deadline;
			if (found.length >= count || isLate) return found;
			await sleep(pollMs);
		}
	}

	function clear(): void {
		answered = [];
	}

	/** Cuts the requests in progress, which are not recorded then. */
	async function cut(): Promise<void> {
		resets++;
		clear();
		const ended = [...inProgress.values()];
		inProgress.clear();
		for (const { ending } of ended) ending.abort();
		// Until the service has nothing to do for them.
		await Promise.allSettled(
			ended.map(async ({ work }) => (await work)?.body?.cancel()),
		);
	}

	return {
		/** Answers a request, and records it. */
		answer,
		/** Undefined for one that is cut. */
		of: (request: Request) => inProgress.get(request),
		list,
		clear,
		/** Another one after each reset. */
		resets: () => (resets === 0 ? "" : String(resets)),
		/** Does the work when no earlier request is at work any more, and before any later one. */
		reset(work: () => Promise<void>): Promise<void> {
			const turn = resetting.then(cut).then(work);
			resetting = turn.catch(() => {});
			return turn;
		},
		close: cut,
	};
}

interface Answered extends Pick<Exchange, "record" | "begunAt"> {
	readonly bytes: number;
}

/** Short for a test that waits. */
const pollMs = 5;

const headerForm = /^([\w!#$%&'*+.^`|~-]+): *(.*)$/;

/** Of a list. A misspelt value must fail: it would match no request, and a test that expects none would pass. */
const parameters = {
	operation: optional(operationOf("")),
	method: optional(oneOf("", [...methods, "OPTIONS"])),
	path: optional(formed("", /^\/[^?#]*$/, "must be like /v1/pets", {})),
	header: optional(formed("", headerForm, "must be Name:value", {})),
	/** Whether those of browsers are shown too. */
	preflights: optional(flag("")),
	since: optional(time("")),
	count: optional(whole("", 0, maxRecordedRequests)),
	/** In milliseconds. */
	wait: optional(whole("", 0, maxFaultDelayMs)),
} satisfies Record<keyof RequestFilter, Type>;

type RequestQuery = Partial<ValuesOf<typeof parameters>>;

/** A misspelt name must fail: the list would have the wrong requests. */
export function readRequestQuery(query: string): RequestQuery {
	const names = Object.keys(parameters);
	const broken = [...new URLSearchParams(query).keys()]
		.filter((name) => !names.includes(name))
		.map((name) => toUnknown(name, names));
	const asked = readQuery(query, parameters, broken);
	requireValid(broken, "invalid_parameter");
	return asked;
}

function matches(
	{ operation, method, path, headers, at }: RecordedRequest,
	filter: RequestQuery,
): boolean {
	const [ownPath = ""] = path.split("?");
	const [, name = "", value] = headerForm.exec(filter.header ?? "") ?? [];
	const isPreflight =
		method === "OPTIONS" && "access-control-request-method" in headers;
	return (
		(filter.operation ?? operation) === operation &&
		(filter.method ?? method) === method &&
		(filter.path ?? ownPath) === ownPath &&
		(value === undefined || headers[name.toLowerCase()] === value) &&
		(filter.since ?? 0) <= Date.parse(at) &&
		(filter.preflights === true || !isPreflight)
	);
}

/** Without the secrets of the client, and without what only the reply shows. */
function toRecord({ url, method, headers: sent }: Request): Recording {
	const { path, query } = splitUrl(url);
	const headers = Object.fromEntries(sent);
	for (const [name, secret] of Object.entries(secrets))
		if (headers[name] !== undefined)
			headers[name] = headers[name].replace(secret, "$1***");
	const asked = method === "HEAD" ? "GET" : method;
	const operation = byPath.find(
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

/** As the router finds them: `/pets/export` before `/pets/{petId}`. */
const byPath = operations.toSorted((one, other) =>
	one.path < other.path ? -1 : 1,
);

/** Keeps a known scheme. */
const credentials = /^((?:bearer|basic) +)?.*$/is;

const secrets = {
	authorization: credentials,
	"proxy-authorization": credentials,
	// Other cookies belong to the client's tests.
	cookie: /((?:^|;\s*)(?:__Host-)?petstore=)[^;]*/g,
};

/** Pages, probes and preflight requests are answered at once. */
function isDelayed({ method, path }: RecordedRequest): boolean {
	return method !== "OPTIONS" && /^\/(operator\/)?v1\//.test(path);
}

/** Its body is a key or a link. */
function isSignIn({ path }: RecordedRequest): boolean {
	return path.startsWith("/operator/v1/sessions");
}

/** Reads a copy of the body while the service reads the body. The result returns what has arrived. */
function copyBody(request: Request): () => Promise<string> {
	let copy = Buffer.alloc(0);
	async function read(): Promise<void> {
		for await (const chunk of request.clone().body ?? []) {
			copy = Buffer.concat([copy, chunk]).subarray(0, maxBodyBytes);
			if (copy.length === maxBodyBytes) return;
		}
	}
	// A disconnected client leaves a part of it.
	read().catch(() => {});
	return async () => {
		// The copy may be some microtasks behind the service.
		await next();
		return copy.toString();
	};
}
