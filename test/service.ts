// Opens a service for a test file, on a real engine, and calls it in process or over a socket. `call` also checks the rules for every
// reply.
import { afterAll, beforeAll, describe, expect } from "bun:test";
import { errorStatus } from "../src/domain/errors.ts";
import {
	type Interface,
	operationsIn,
	toErrors,
	toStatus,
} from "../src/interface/operation.ts";
import { operator } from "../src/operator/interface.ts";
import { openPetstore, type PetstoreOptions } from "../src/petstore.ts";
import { v1 } from "../src/v1/interface.ts";
import { makeKey } from "./harness/key.ts";
import { logTo } from "./harness/log.ts";
import { createDatabase } from "./harness/postgres/server.ts";
import { temporaryDatabase } from "./harness/temporary.ts";

/** A service under test. */
export type Service = Awaited<ReturnType<typeof openService>>;

export interface CallOptions {
	readonly method?: string;
	readonly authorization?: string | null;
	/** Added to the headers of every request. Undefined removes one of those. */
	readonly headers?: Record<string, string | undefined>;
	readonly body?:
		| string
		| Uint8Array<ArrayBuffer>
		| ReadableStream<Uint8Array>
		| undefined;
}

export interface ServiceOptions
	extends Omit<PetstoreOptions, "database" | "address" | "log"> {
	readonly engine?: Engine;
	/** An existing database. `close` does not remove it. */
	readonly databaseUrl?: string;
	readonly logRequests?: boolean;
}

type Engine = "sqlite" | "postgres";
type Transport = "in process" | "over a socket";

/** Registers the tests once for each engine, and so once for each transport. `service()` returns that of the running test. */
export function onEachService(
	register: (service: () => Service) => void,
	options: ServiceOptions = {},
): void {
	describe.each([
		["sqlite", "over a socket"],
		["postgres", "in process"],
	] as const)("%s, %s", (engine, transport) => {
		let service: Service;
		beforeAll(async () => {
			service = await openService(transport, { engine, ...options });
		}, startMs);
		afterAll(() => service.close());
		register(() => service);
	});
}

/** The first test file that uses PostgreSQL waits for the server to start. */
export const startMs = 30_000;

/**
 * Every request of a test is answered within this time. The service promises half of it. Other programs may use the processor too.
 */
export const answeredMs = 6_000;

export async function openService(
	transport: Transport,
	{ engine, databaseUrl, logRequests, ...options }: ServiceOptions = {},
) {
	const database =
		databaseUrl === undefined
			? await newDatabase(engine)
			: { url: databaseUrl, remove() {} };
	const log: Record<string, unknown>[] = [];
	const petstore = await openPetstore({
		...options,
		database: database.url,
		log: { to: logTo((record) => log.push(record)), requests: logRequests },
	});
	const { store, stop } = petstore;
	const isInProcess = transport === "in process";
	const url = isInProcess ? "http://petstore.test" : petstore.url;
	const send = async (request: Request) => {
		if (!isInProcess) return fetch(request);
		// Bun sends no body to a HEAD.
		return request.method === "HEAD"
			? fetch(request.url.replace(url, petstore.url), request)
			: petstore.fetch(request);
	};

	async function makeTestKey(
		keyOptions?: Parameters<typeof makeKey>[0],
	): Promise<string> {
		const { key, record } = makeKey(keyOptions);
		await store.keys.add(record);
		return key;
	}
	const ownKey = await makeTestKey();
	let operatorKey: Promise<string> | undefined;
	async function toOwnAuthorization(path: string): Promise<string> {
		if (!isOperatorPath(path)) return `Bearer ${ownKey}`;
		operatorKey ??= makeTestKey({ scope: "operator" });
		return `Bearer ${await operatorKey}`;
	}

	/** Stops the service and removes its database. */
	async function close(): Promise<void> {
		await stop();
		await database.remove();
	}

	return {
		url,
		databaseUrl: database.url,
		store,
		/** The lines of the service's log. */
		log,
		/** A new key. */
		makeKey: makeTestKey,
		/** Sends a request with a read-write key, below /operator with an operator key, or with `authorization`. Null sends no key. */
		async call(
			path: string,
			{ authorization, headers, ...init }: CallOptions = {},
		): Promise<Response> {
			const authorized =
				authorization === undefined
					? await toOwnAuthorization(path)
					: authorization;
			const sent = {
				"Content-Type":
					init.body === undefined ? undefined : "application/json",
				Authorization: authorized ?? undefined,
				...headers,
			};
			const request = new Request(url + path, {
				...init,
				body: init.body ?? null,
				headers: definedEntries(sent),
			});
			const method = request.method;
			const response = await send(request);
			await expectWellFormed(method, path, response.clone());
			return response;
		},
		/** Sends a request as it is. */
		send,
		stop,
		close,
		[Symbol.asyncDispose]: close,
	};
}

async function newDatabase(engine: Engine | undefined) {
	return engine === "postgres" ? createDatabase() : temporaryDatabase();
}

function definedEntries(
	record: Record<string, string | undefined>,
): [string, string][] {
	return Object.entries(record).flatMap(([name, value]) =>
		value === undefined ? [] : [[name, value]],
	);
}

/** Checks the rules for every reply. */
async function expectWellFormed(
	method: string,
	path: string,
	response: Response,
): Promise<void> {
	const { status, headers } = response;
	const text = await response.text();
	let code: string | undefined;
	if (isOperatorPath(path)) expectSameOriginOnly(headers);
	else expect(headers.get("Access-Control-Allow-Origin")).toBe("*");
	const isFile = headers.has("Content-Disposition");
	if (text !== "" && !isFile)
		expect(headers.get("Content-Type")).toBe("application/json");
	if (status >= 400 && method !== "HEAD") {
		const error = JSON.parse(text);
		code = error.code;
		const counts = [
			"added",
			"changed",
			"unchanged",
			"blankNames",
			"createdCategories",
		];
		const further = isOperatorPath(path)
			? [...counts, "errors", "ignored", "index", "pet"]
			: [];
		expect(Object.keys(error)).toEqual([
			...["code", "message", "status"],
			...further.filter((name) => name in error),
		]);
		expect(error.status).toBe(status);
		const statuses = new Map<string, number>(Object.entries(errorStatus));
		expect(statuses.get(error.code)).toBe(status);
	}
	expectDeclared(method, path, code ?? status);
}

function isOperatorPath(path: string): boolean {
	return path.startsWith("/operator/");
}

/** A browser sends the session cookie by itself, so scripts of other origins must not read these replies. */
function expectSameOriginOnly(headers: Headers): void {
	const names = [...headers.keys()];
	expect(names.filter((name) => name.startsWith("access-control"))).toEqual([]);
	expect(headers.get("X-Content-Type-Options")).toBe("nosniff");
	expect(headers.get("Cross-Origin-Resource-Policy")).toBe("same-origin");
}

/** Expects the operation to declare the error code, or the status of a reply without one. */
function expectDeclared(
	method: string,
	path: string,
	outcome: string | number,
): void {
	const [route = ""] = path.split("?");
	const [first, ...others] = declaredOperations.filter(({ pattern }) =>
		pattern.test(route),
	);
	const declared = [first, ...others].find(
		(one) => one?.method === method && one.path === first?.path,
	);
	if (declared !== undefined) expect([...declared.outcomes]).toContain(outcome);
}

/** A fixed path comes before one with a parameter: /pets/batch before /pets/{petId}. */
const declaredOperations = [v1, operator]
	.flatMap(toDeclared)
	.sort((one, other) => Number(one.isNamed) - Number(other.isNamed));

function toDeclared(described: Interface) {
	return operationsIn(described).map(({ operation }) => {
		const { method, path } = operation;
		const pattern = path.replace(/\{\w+\}/, "[^/]+");
		return {
			method,
			path,
			pattern: new RegExp(`^${described.prefix}${pattern}$`),
			isNamed: path.includes("{"),
			outcomes: new Set<string | number>([
				...[toStatus(operation), 304, ...toErrors(operation)],
			]),
		};
	});
}

/** Expects an Error body whose code matches the HTTP status. */
export async function expectError(
	response: Response,
	code: keyof typeof errorStatus,
	message = /./,
): Promise<void> {
	// Other tests check the index and the animal of a refused change, and the errors of a file.
	const { index: _, pet, errors, ignored, ...error } = await response.json();
	expect(error).toEqual({
		code,
		message: expect.stringMatching(message),
		status: errorStatus[code],
	});
	expect(pet !== undefined).toBe(code === "precondition_failed");
	expect(response.status).toBe(errorStatus[code]);
}

/** Adds an animal from JSON text and returns the JSON text of the reply. */
export async function add(
	{ call }: Service,
	body: string,
	headers: Record<string, string> = {},
): Promise<string> {
	const response = await call("/v1/pets", { method: "POST", body, headers });
	const text = await response.text();
	expect([text, response.status]).toEqual([text, 201]);
	return text;
}

/** The id in the JSON text of a Pet, exactly. */
export function idOf(pet: string): bigint {
	return BigInt(/^\{"id":(\d+),/.exec(pet)?.[1] ?? "none");
}
