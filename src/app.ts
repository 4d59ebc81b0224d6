// fetch(request) → response: authenticate, route, run, encode. Knows no socket; holds the only catch.
import { randomUUID } from "node:crypto";
import type { Logger } from "pino";
import type { Authenticate, Identity } from "./auth.ts";
import {
	httpStatus,
	interfaceVersion,
	type Operation,
	type OperationId,
	operations,
	versionPrefix,
} from "./contract.ts";
import { Failure, isServiceCode, unavailable } from "./errors.ts";
import { handlers } from "./operations.ts";
import {
	joinHeaders,
	type Reply,
	toDeprecationHeaders,
	toErrorReply,
	toOptionsReply,
	toResponse,
} from "./reply.ts";
import { allowed, createRouter, known, toTarget } from "./router.ts";
import type { Store } from "./store/store.ts";

export interface App {
	/** Never rejects. */
	readonly fetch: (request: Request) => Promise<Response>;
	/** From now on /readyz asks for no further requests; those that come all the same are answered. */
	readonly announceStop: () => void;
}

export function createApp(options: {
	store: Store;
	authenticate: Authenticate;
	/** The operations to serve. */
	operationIds: readonly OperationId[];
	/** The OpenAPI document as JSON text. */
	openapi: string;
	log: Logger;
	logRequests: boolean;
}): App {
	const { store, authenticate, openapi, log, logRequests } = options;
	let stopping = false;

	const contract = createRouter(
		options.operationIds.map((id) => ({
			method: operations[id].method,
			path: versionPrefix + operations[id].path,
			handler: { operation: operations[id], run: handlers[id] },
		})),
	);
	const beside = createRouter([
		{ method: "GET", path: "/", handler: async () => index },
		{ method: "GET", path: "/healthz", handler: async () => health },
		{ method: "GET", path: "/readyz", handler: readiness },
		{ method: "GET", path: "/openapi.json", handler: async () => openapi },
	]);

	async function fetch(request: Request): Promise<Response> {
		const exchange: Exchange = {
			request,
			...toTarget(request.url),
			now: Date.now(),
			requestId: logRequests ? randomUUID() : undefined,
			route: undefined,
			keyId: undefined,
			operation: undefined,
		};
		const reply = await answer(exchange).catch((error: unknown) =>
			refuse(exchange, error),
		);
		if (logRequests) logExchange(exchange, reply);
		return toResponse(request, {
			...reply,
			headers: joinHeaders(reply.headers, exchangeHeaders(exchange)),
		});
	}

	function answer(exchange: Exchange): Promise<Reply> {
		const { path } = exchange;
		return path === versionPrefix || path.startsWith(`${versionPrefix}/`)
			? answerContract(exchange)
			: answerBeside(exchange);
	}

	async function answerContract(exchange: Exchange): Promise<Reply> {
		const { request, path, query, now } = exchange;
		const match = contract(request.method, path);
		exchange.route = match?.path;
		if (request.method === "OPTIONS")
			return toOptionsReply(request, known(match).allow);
		// Before anything is said of path or method: a stranger learns nothing.
		const identity = await authenticate(
			request.headers.get("authorization"),
			now,
		);
		exchange.keyId = identity.keyId;
		const { handler, segment } = allowed(match);
		exchange.operation = handler.operation;
		if (handler.operation.method !== "GET" && identity.scope === "read")
			throw new Failure("forbidden", "The API key may only read.");
		return handler.run({ request, query, segment, identity, store, now });
	}

	async function answerBeside(exchange: Exchange): Promise<Reply> {
		const { request, path } = exchange;
		const match = beside(request.method, path);
		exchange.route = match?.path;
		return request.method === "OPTIONS"
			? toOptionsReply(request, known(match).allow)
			: { status: httpStatus.ok, body: await allowed(match).handler() };
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
		if (isServiceCode(failure.code)) {
			exchange.requestId ??= randomUUID();
			const { requestId, route } = exchange;
			const { cause: err, message } = failure;
			// What has no cause was foreseen: a stop, or more work than can be done in time.
			log[err === undefined ? "warn" : "error"](
				{ requestId, route, err },
				message,
			);
		}
		return toErrorReply(failure);
	}

	// The route and not the path: whatever a client sends in an address, also a key, stays out of the log.
	function logExchange(exchange: Exchange, { status }: Reply): void {
		const { request, requestId, route, keyId, now } = exchange;
		const { method } = request;
		const ms = Date.now() - now;
		log.info({ requestId, method, route, status, ms, keyId }, "request");
	}

	return {
		fetch,
		announceStop: () => {
			stopping = true;
		},
	};
}

/** One request and what is found out about it on the way to its reply. */
interface Exchange {
	readonly request: Request;
	readonly path: string;
	readonly query: string;
	readonly now: number;
	/** Only for replies that the log tells of. */
	requestId: string | undefined;
	route: string | undefined;
	keyId: Identity["keyId"] | undefined;
	/** Known once the caller is. */
	operation: Operation | undefined;
}

const health = JSON.stringify({ status: "ok" });

const index = JSON.stringify({
	service: "petstore",
	version: interfaceVersion,
	pets: `${versionPrefix}/pets`,
	openapi: "/openapi.json",
	health: "/healthz",
	readiness: "/readyz",
});

function exchangeHeaders({
	requestId,
	operation,
}: Exchange): Record<string, string> {
	return {
		...(requestId !== undefined && { "X-Request-Id": requestId }),
		...(operation?.deprecation && toDeprecationHeaders(operation.deprecation)),
	};
}
