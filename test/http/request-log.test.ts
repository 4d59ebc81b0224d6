// X-Request-Id, and the log line of a request.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { networkInterfaces } from "node:os";
import { generateToken } from "../../src/domain/access/secret.ts";
import { openPetstore } from "../../src/petstore.ts";
import { logTo } from "../harness/log.ts";
import { waitFor } from "../harness/process.ts";
import { request, sendRaw } from "../harness/raw.ts";
import { openService, type Service } from "../service.ts";

const uuid = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/;
const apiKey = "the-operator's/own+key==";

describe("Request ids", () => {
	let service: Service;
	beforeAll(async () => {
		service = await openService("over a socket");
	});
	afterAll(() => service.close());
	const idOf = async (id?: string, path = "/v1/pets") => {
		const headers = { "X-Request-Id": id };
		const reply = await service.call(path, { headers });
		return reply.headers.get("X-Request-Id");
	};

	test("sends the id of the request back, even from the page cache, and none that is not an id", async () => {
		expect(await idOf("first")).toBe("first");
		expect(await idOf()).toBe(null);
		expect(await idOf("second")).toBe("second");
		expect(await idOf(undefined, "/v1/nothing")).toBe(null);
		for (const id of ["", "x".repeat(65), "two words", "a:b", "a/b", "\u00e9"])
			expect([id, await idOf(id)]).toEqual([id, null]);
		const headers = { "X-Request-Id": "mine", Origin: "https://x.test" };
		for (const method of ["OPTIONS", "GET", "HEAD"]) {
			const call = { method, headers, authorization: null };
			const reply = await service.call("/v1/pets", call);
			expect(reply.headers.get("X-Request-Id")).toBe("mine");
		}
	});

	test("sends an id with every 5xx, the client's if there is one, even without a log line of its own", async () => {
		const stopped = await openService("in process");
		await stopped.stop();
		const headers = { "X-Request-Id": "mine" };
		const first = await stopped.call("/readyz", { headers });
		expect(first.headers.get("X-Request-Id")).toBe("mine");
		const replies = await Promise.all(
			Array.from({ length: 20 }, () => stopped.call("/readyz")),
		);
		const ids = replies.map(({ headers }) => headers.get("X-Request-Id"));
		for (const id of ids) expect(id).toMatch(uuid);
		expect(new Set(ids).size).toBe(20);
		expect(stopped.log).toMatchObject([
			{ requestId: "mine", route: "/readyz", code: "unavailable" },
		]);
		await stopped.close();
	});
});

describe("with logRequests", () => {
	let service: Service;
	beforeAll(async () => {
		const options = { logRequests: true, apiKey };
		service = await openService("over a socket", options);
	});
	afterAll(() => service.close());

	/** The log line of the request. */
	async function lineOf(path: string, options: Parameters<Service["call"]>[1]) {
		const before = service.log.length;
		const reply = await service.call(path, options);
		const [line = {}, ...others] = service.log.slice(before);
		expect(others).toEqual([]);
		expect(line.requestId).toBe(reply.headers.get("X-Request-Id"));
		return line;
	}

	test.each([
		["GET", "/v1/pets?limit=5", { route: "/v1/pets", status: 200, keyId: 1 }],
		["OPTIONS", "/v1/pets/1", { route: "/v1/pets/{petId}", status: 204 }],
		["GET", "/healthz", { route: "/healthz", status: 200 }],
		["GET", "/nothing?a=b", { status: 404, code: "not_found" }],
		["PUT", "/v1/pets", { route: "/v1/pets", code: "method_not_allowed" }],
	])("logs a line for %s %s", async (method, path, expected) => {
		const line = await lineOf(path, { method });
		expect(line).toMatchObject({ method, client: "127.0.0.1", msg: "request" });
		expect(line).toMatchObject(expected);
		expect(line.requestId).toMatch(uuid);
		if ("code" in expected) return;
		expect("code" in line).toBe(false);
		expect("keyId" in line).toBe("keyId" in expected);
	});

	test("logs the address of a client that closed its connection", async () => {
		const before = service.log.length;
		const lines = [`Authorization: Bearer ${apiKey}`, "Content-Length: 9"];
		const add = request("POST /v1/pets", lines, "{");
		await sendRaw(service.url, add, { end: "after sending" });
		const line = await waitFor(() => service.log[before], "there is no line");
		expect(line).toMatchObject({ method: "POST", client: "127.0.0.1" });
	});

	test("logs the id of a revoked or expired key with its 401, and none for an unknown key", async () => {
		const expired = await service.makeKey({ expiresAt: 1 });
		const revoked = await service.makeKey();
		const expiresAt = Date.now() + 300;
		const expiring = await service.makeKey({ expiresAt });
		const keys = await service.store.keys.list();
		const [first, second, third] = keys.map(({ id }) => id).slice(-3);
		await service.store.keys.revoke(second ?? 0, 1);
		const lineWith = (key: string) =>
			lineOf("/v1/pets", { authorization: `Bearer ${key}` });
		// It expires after it was cached.
		expect(await lineWith(expiring)).toMatchObject({ status: 200 });
		await Bun.sleep(expiresAt - Date.now() + 1);
		for (const [key, keyId] of [
			[expired, first],
			[revoked, second],
			[expiring, third],
			[`pet_${"0".repeat(32)}37KSsp`, undefined],
		] as const) {
			const { code, keyId: logged } = await lineWith(key);
			expect([code, logged]).toEqual(["unauthenticated", keyId]);
		}
	});

	test("logs a sign-in with the id of the key, or with console for a link", async () => {
		const key = await service.makeKey({ scope: "operator" });
		const { id } = (await service.store.keys.list()).at(-1) ?? {};
		const { token, hash } = generateToken();
		const expiresAt = Date.now() + 60_000;
		await service.store.sessions.addLink({ hash, expiresAt });
		for (const [credential, keyId] of [
			[{ key }, id],
			[{ link: token }, "console"],
		] as const)
			expect(
				await lineOf("/operator/v1/sessions", {
					method: "POST",
					authorization: null,
					body: JSON.stringify(credential),
					headers: { "Sec-Fetch-Site": "same-origin" },
				}),
			).toMatchObject({ status: 204, keyId });
	});

	test("logs neither path nor query, where clients put keys by mistake", async () => {
		const key = await service.makeKey();
		for (const path of [`/v1/pets/${key}`, `/${key}`, `/v1/pets?key=${key}`])
			expect(JSON.stringify(await lineOf(path, {}))).not.toContain(key);
	});
});

const hasIpv6 = Object.values(networkInterfaces())
	.flat()
	.some((address) => address?.family === "IPv6");

test.skipIf(!hasIpv6)(
	"logs the IPv4 address of a client, even if the service listens on IPv6 addresses",
	async () => {
		const clients: unknown[] = [];
		const to = logTo(({ client }) => clients.push(client));
		const service = await openPetstore({
			database: "sqlite::memory:",
			address: { host: "::", port: 0 },
			log: { to, requests: true },
		});
		const { port } = new URL(service.url);
		await fetch(`http://127.0.0.1:${port}/healthz`);
		await service.stop();
		expect(clients).toEqual(["127.0.0.1"]);
	},
);
