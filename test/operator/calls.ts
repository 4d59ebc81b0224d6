// Calls the operator interface as programs do, with a key, and as the pages of a browser do, with a cookie.
import { afterAll, beforeAll, describe, expect } from "bun:test";
import { generateToken } from "../../src/domain/access/secret.ts";
import {
	openPetstore,
	type Petstore,
	type PetstoreOptions,
} from "../../src/petstore.ts";
import type { Store } from "../../src/store/store.ts";
import { silentLog } from "../harness/log.ts";
import { openService, type Service, startMs } from "../service.ts";

export interface OperatorCall {
	readonly method?: string;
	/** Sent as the bearer token. */
	readonly key?: string | undefined;
	/** A JSON value, or the text of the body. */
	readonly body?: unknown;
	readonly headers?: Readonly<Record<string, string>>;
}

/** Answers without a socket. */
type Answer = (request: Request) => Response | Promise<Response>;

export async function call(
	answer: Answer,
	path: string,
	{ method = "GET", key, body, headers }: OperatorCall = {},
): Promise<Response> {
	const text = typeof body === "string" ? body : JSON.stringify(body);
	return answer(
		new Request(`http://localhost${path}`, {
			method,
			body: body === undefined ? null : text,
			headers: {
				Host: "localhost:8080",
				...(key !== undefined && { Authorization: `Bearer ${key}` }),
				...headers,
			},
		}),
	);
}

/** The header that a browser sends with a request of our own page. */
export const ownPage = { "Sec-Fetch-Site": "same-origin" };

export const sessionsPath = "/operator/v1/sessions";
export const currentPath = "/operator/v1/sessions/current";

/** Signs in at localhost over plain HTTP. */
export function signIn(
	answer: Answer,
	body: unknown,
	headers: Readonly<Record<string, string>> = {},
): Promise<Response> {
	return call(answer, sessionsPath, {
		method: "POST",
		body,
		headers: { ...ownPage, ...headers },
	});
}

/** The header Cookie for the session that this reply made. */
export function cookieOf(reply: Response): { Cookie: string } {
	const [cookie = ""] = (reply.headers.get("Set-Cookie") ?? "").split(";");
	return { Cookie: cookie };
}

/** A session as the service makes it, without a request. */
export async function makeSession(
	{ sessions }: Store,
	{ createdAt = Date.now() } = {},
): Promise<{ Cookie: string }> {
	const { token, hash } = generateToken();
	await sessions.add({ hash, keyHash: undefined, createdAt });
	return { Cookie: `petstore=${token}` };
}

export async function makeLink(
	{ sessions }: Store,
	expiresAt = Date.now() + 60_000,
): Promise<{ link: string }> {
	const { token, hash } = generateToken();
	await sessions.addLink({ hash, expiresAt });
	return { link: token };
}

/** Registers the tests once for each engine, with two services on one database. */
export function onTwoProcesses(
	register: (processes: () => Awaited<ReturnType<typeof openTwo>>) => void,
): void {
	describe.each(["sqlite", "postgres"] as const)("%s", (engine) => {
		let processes: Awaited<ReturnType<typeof openTwo>>;
		beforeAll(async () => {
			processes = await openTwo(engine);
		}, startMs);
		afterAll(async () => {
			await processes.other.stop();
			await processes.service.close();
		});
		register(() => processes);
	});
}

async function openTwo(engine: "sqlite" | "postgres") {
	const service = await openService("in process", { engine });
	const other = await openQuietly({ database: service.databaseUrl });
	/** With the scope operator. */
	const key = await service.makeKey({ scope: "operator" });
	return { service, other, key };
}

export function openQuietly(options: PetstoreOptions): Promise<Petstore> {
	return openPetstore({ log: { to: silentLog }, ...options });
}

export async function backUp({ call }: Service): Promise<string> {
	const made = await call("/operator/v1/backups", { method: "POST" });
	const { name, ...rest } = await made.json();
	expect([made.status, rest]).toEqual([201, {}]);
	return name;
}
