// fetch(request) → response: authenticate, route, run, encode. Knows no socket; holds the only catch.
import { randomUUID } from "node:crypto";
import type { Logger } from "pino";
import { type Awaitable, after, isPending } from "../async/awaitable.ts";
import { Failure, unavailable } from "../contract/errors.ts";
import {
	httpStatus,
	interfaceVersion,
	type OperationId,
	operations,
	versionPrefix,
} from "../contract/v1.ts";
import { admit } from "../store/admission.ts";
import type { Store } from "../store/store.ts";
import { type Call, createOperations } from "../v1/operations.ts";
import type { Authenticate, Identity } from "./auth.ts";
import { createOutbox } from "./large-replies.ts";
import type { LimitRate } from "./rate-limit.ts";
import {
	commonHeaders,
	type Reply,
	toErrorReply,
	toOperationHeaders,
	toOptionsReply,
	toResponse,
} from "./reply.ts";
import {
	allowed,
	createRouter,
	known,
	type Match,
	toTarget,
} from "./router.ts";

export interface App {
	/** Never throws or rejects. */
	readonly fetch: (request: Request) => Awaitable<Response>;
	/** From now on /readyz asks for no further requests; those that come all the same are answered. */
	readonly announceStop: () => void;
}

export function createApp(options: {
	store: Store;
	authenticate: Authenticate;
	/** How often a key may ask; as often as it likes when undefined. */
	limitRate: LimitRate | undefined;
	/** The operations to serve. */
	operationIds: readonly OperationId[];
	/** The OpenAPI document as JSON text. */
	openapi: string;
	log: Logger;
	logRequests: boolean;
}): App {
	const { store, authenticate, limitRate, openapi, log, logRequests } = options;
	let stopping = false;

	const outbox = createOutbox();
	const isNews = createNews(log);
	const runs = createOperations(admit(store));
	const contract = createRouter(
		options.operationIds.map((id) => {
			const { method, path } = operations[id];
			const headers = toOperationHeaders(operations[id]);
			const handler = { writes: method !== "GET", headers, run: runs[id] };
			return { method, path: versionPrefix + path, handler };
		}),
	);
	const beside = createRouter([
		{ method: "GET", path: "/", handler: async () => index },
		{ method: "GET", path: "/healthz", handler: async () => health },
		{ method: "GET", path: "/readyz", handler: readiness },
		{ method: "GET", path: "/openapi.json", handler: async () => openapi },
	]);

	function fetch(request: Request): Awaitable<Response> {
		const exchange = toExchange(request, logRequests);
		try {
			const reply = answer(exchange);
			return isPending(reply)
				? finishLater(exchange, reply)
				: finish(exchange, reply);
		} catch (error) {
			return finish(exchange, refuse(exchange, error));
		}
	}

	async function finishLater(
		exchange: Exchange,
		reply: Promise<Reply>,
	): Promise<Response> {
		try {
			return finish(exchange, await reply);
		} catch (error) {
			return finish(exchange, refuse(exchange, error));
		}
	}

	function finish(exchange: Exchange, reply: Reply): Response {
		const { method, requestId } = exchange;
		const response = toResponse(method, reply, outbox.send);
		if (logRequests) logExchange(exchange, reply);
		if (requestId !== undefined)
			response.headers.set("X-Request-Id", requestId);
		return response;
	}

	function answer(exchange: Exchange): Awaitable<Reply> {
		const { path } = exchange;
		return path === versionPrefix || path.startsWith(belowVersion)
			? answerContract(exchange)
			: answerBeside(exchange);
	}

	function answerContract(exchange: Exchange): Awaitable<Reply> {
		const { request, method, path } = exchange;
		const match = contract(path);
		exchange.match = match;
		exchange.route = match?.known.path;
		if (method === "OPTIONS")
			return toOptionsReply(request, known(match).allow);
		// Before anything is said of path or method: a stranger learns nothing.
		const authorization = request.headers.get("authorization");
		return after(authenticate(authorization), operate, exchange);
	}

	function operate(identity: Identity, exchange: Exchange): Awaitable<Reply> {
		const { request, method, match, query } = exchange;
		exchange.keyId = identity.keyId;
		// A deprecated operation says so to whoever has a key, also where it is refused.
		exchange.headers =
			match?.known.handlers.get(method)?.headers ?? commonHeaders;
		limitRate?.(identity.keyHash);
		const { writes, headers, run } = allowed(match, method);
		if (writes && identity.scope === "read")
			throw new Failure("forbidden", "The API key may only read.");
		const segment = match?.segment ?? "";
		return run({ request, query, segment, identity, headers });
	}

	async function answerBeside(exchange: Exchange): Promise<Reply> {
		const { request, method, path } = exchange;
		const match = beside(path);
		exchange.route = match?.known.path;
		if (method === "OPTIONS")
			return toOptionsReply(request, known(match).allow);
		const body = await allowed(match, method)();
		return { status: httpStatus.ok, headers: commonHeaders, body };
	}

	async function readiness(): Promise<string> {
		if (stopping) throw unavailable("The service is stopping.");
		await store.ping();
		return health;
	}

	function refuse(exchange: Exchange, error: unknown): Reply {
		const failure =
			error instanceof Failure
				? error
				: new Failure("internal", "The service failed.", { cause: error });
		const { code, message } = failure;
		// A store that is out of reach fails every request: not each of them is worth a line.
		if (code === "internal" || (code === "unavailable" && isNews(message)))
			logFailure(exchange, failure);
		return toErrorReply(exchange.headers, failure);
	}

	function logFailure(exchange: Exchange, failure: Failure): void {
		exchange.requestId ??= randomUUID();
		const { requestId, route } = exchange;
		const { cause: err, message } = failure;
		// What has no cause was foreseen, such as a stop.
		const level = err === undefined ? "warn" : "error";
		log[level]({ requestId, route, err }, message);
	}

	// The route and not the path: whatever a client sends in an address, also a key, stays out of the log.
	function logExchange(exchange: Exchange, { status }: Reply): void {
		const { requestId, method, route, keyId, begunAt } = exchange;
		const ms = Math.round(performance.now() - begunAt);
		log.info({ requestId, method, route, status, ms, keyId }, "request");
	}

	return {
		fetch,
		announceStop: () => {
			stopping = true;
		},
	};
}

interface ServedOperation {
	readonly writes: boolean;
	/** What every reply of it carries. */
	readonly headers: Headers;
	readonly run: (call: Call) => Awaitable<Reply>;
}

/** One request and what is found out about it on the way to its reply. */
interface Exchange {
	readonly request: Request;
	readonly method: string;
	readonly path: string;
	readonly query: string;
	/** Both only for replies that the log tells of. */
	readonly begunAt: number;
	requestId: string | undefined;
	/** What it asks for, when that is in the contract. */
	match: Match<ServedOperation> | undefined;
	route: string | undefined;
	keyId: Identity["keyId"] | undefined;
	/** What every reply carries; with those of the operation once it is known. */
	headers: Headers;
}

function toExchange(request: Request, logRequests: boolean): Exchange {
	const { path, query } = toTarget(request.url);
	return {
		request,
		method: request.method,
		path,
		query,
		begunAt: logRequests ? performance.now() : 0,
		requestId: logRequests ? randomUUID() : undefined,
		match: undefined,
		route: undefined,
		keyId: undefined,
		headers: commonHeaders,
	};
}

/** Whether a refusal is the first with its message within a second. The log gets one line for all others, with their number. */
function createNews(log: Logger): (message: string) => boolean {
	const others = new Map<string, number>();
	return (message) => {
		const refused = others.get(message);
		others.set(message, (refused ?? -1) + 1);
		if (refused !== undefined) return false;
		setTimeout(() => {
			const refused = others.get(message);
			if (refused !== 0) log.warn({ refused }, message);
			others.delete(message);
		}, 1_000).unref();
		return true;
	};
}

const belowVersion = `${versionPrefix}/`;

const health = JSON.stringify({ status: "ok" });

const index = JSON.stringify({
	service: "petstore",
	version: interfaceVersion,
	pets: `${versionPrefix}/pets`,
	openapi: "/openapi.json",
	health: "/healthz",
	readiness: "/readyz",
});
