// X-Request-Id, and the log line of a request.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { networkInterfaces } from "node:os";
import { generateToken } from "../../src/domain/token.ts";
import { openPetstore } from "../../src/petstore.ts";
import { logTo } from "../harness/log.ts";
import { waitFor } from "../harness/process.ts";
import { request, sendRaw } from "../harness/raw.ts";
import { onEachService, openService, type Service } from "../service.ts";

const uuid = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/;
const apiKey = "the-operator's/own+key==";

describe("Request ids", () => {
	onEachService((service) => {
		const idOf = async (id?: string, path = "/v1/pets") => {
			const headers = { "X-Request-Id": id };
			const reply = await service().call(path, { headers });
			return reply.headers.get("X-Request-Id");
		};

		test.each(["x", "a-b_c:1/2", "!".repeat(64) + "~".repeat(64)])(
			"sends the id %s back",
			async (id) => {
				expect(await idOf(id)).toBe(id);
				expect(await idOf(id, "/v1/nothing")).toBe(id);
				expect(await idOf(id, "/healthz")).toBe(id);
			},
		);
		test.each(["", "x".repeat(129), "two words", "tab\there", "\u00e9"])(
			"ignores the id %j",
			async (id) => {
				expect(await idOf(id)).toBe(null);
			},
		);
		test("sends no id if the request has none and the reply is not logged", async () => {
			expect(await idOf()).toBe(null);
			expect(await idOf(undefined, "/v1/nothing")).toBe(null);
		});
		test("sends only the id of the request with a reply from the page cache", async () => {
			expect(await idOf("first")).toBe("first");
			expect(await idOf()).toBe(null);
			expect(await idOf("second")).toBe("second");
		});
		test("sends the id back with a preflight reply and with a 401", async () => {
			const headers = { "X-Request-Id": "mine", Origin: "https://x.test" };
			for (const method of ["OPTIONS", "GET", "HEAD"]) {
				const call = { method, headers, authorization: null };
				const reply = await service().call("/v1/pets", call);
				expect(reply.headers.get("X-Request-Id")).toBe("mine");
			}
		});
	});

	test("ignores two X-Request-Id lines", async () => {
		const service = await openService("over a socket");
		const lines = ["X-Request-Id: a", "X-Request-Id: b", "Connection: close"];
		const reply = await sendRaw(service.url, request("GET /healthz", lines));
		expect(reply).toStartWith("HTTP/1.1 200");
		expect(reply).not.toMatch(/^X-Request-Id/im);
		await service.close();
	});

	test("sends an id with every 5xx, even without a log line of its own", async () => {
		const service = await openService("in process");
		await service.stop();
		const replies = await Promise.all(
			Array.from({ length: 20 }, () => service.call("/readyz")),
		);
		const ids = replies.map(({ headers }) => headers.get("X-Request-Id"));
		expect(replies.map(({ status }) => status)).toEqual(Array(20).fill(503));
		for (const id of ids) expect(id).toMatch(uuid);
		expect(new Set(ids).size).toBe(20);
		expect(service.log).toMatchObject([
			{ requestId: ids[0], path: "/readyz", code: "unavailable" },
		]);
		await service.close();
	});

	test("uses the id of the client in a 5xx and in its log line", async () => {
		const service = await openService("in process");
		await service.stop();
		const headers = { "X-Request-Id": "mine" };
		const reply = await service.call("/readyz", { headers });
		expect(reply.headers.get("X-Request-Id")).toBe("mine");
		expect(service.log).toMatchObject([{ requestId: "mine" }]);
		await service.close();
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
		["HEAD", "/v1/pets", { route: "/v1/pets", status: 200, keyId: 1 }],
		["OPTIONS", "/v1/pets/1", { route: "/v1/pets/{petId}", status: 204 }],
		["GET", "/healthz", { route: "/healthz", status: 200 }],
		["GET", "/nothing?a=b", { status: 404, code: "not_found" }],
		["PUT", "/v1/pets", { route: "/v1/pets", code: "method_not_allowed" }],
		["GET", "/v1/pets?limit=0", { status: 400, code: "invalid_parameter" }],
	])("logs a line for %s %s", async (method, path, expected) => {
		const line = await lineOf(path, { method });
		expect(line).toMatchObject({ method, path, client: "127.0.0.1" });
		expect(line).toMatchObject({ ...expected, msg: "request" });
		expect(line.requestId).toMatch(uuid);
		if (!("code" in expected)) expect(line).not.toHaveProperty("code");
		if (!("keyId" in expected) && !("code" in expected))
			expect(line).not.toHaveProperty("keyId");
	});

	test("logs the id of the client and asterisks as they were sent", async () => {
		const headers = { "X-Request-Id": "mine*" };
		const line = await lineOf("/a*b", { headers });
		expect([line.requestId, line.path]).toEqual(["mine*", "/a*b"]);
	});

	test("logs the address of a client that closed its connection", async () => {
		const before = service.log.length;
		const lines = [`Authorization: Bearer ${apiKey}`, "Content-Length: 9"];
		const add = request("POST /v1/pets", lines, "{");
		await sendRaw(service.url, add, { end: "after sending" });
		const line = await waitFor(
			() => service.log[before],
			() => "there is no line",
		);
		expect(line).toMatchObject({ method: "POST", client: "127.0.0.1" });
	});

	test("logs the id of a revoked or expired key with its 401, and none for an unknown key", async () => {
		const expired = await service.makeKey({ expiresAt: 1 });
		const revoked = await service.makeKey();
		const [first, last] = (await service.store.keys.list())
			.map(({ id }) => id)
			.slice(-2);
		await service.store.keys.revoke(last ?? 0, 1);
		const unknown = `pet_${"0".repeat(32)}37KSsp`;
		for (const [key, keyId] of [
			[expired, first],
			[revoked, last],
			[unknown, undefined],
		] as const) {
			const authorization = `Bearer ${key}`;
			const line = await lineOf("/v1/pets", { authorization });
			expect(line.code).toBe("unauthenticated");
			expect(line.keyId).toBe(keyId);
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

	test("logs the id of a key with its 401 if it expired after it was cached", async () => {
		const expiresAt = Date.now() + 300;
		const authorization = `Bearer ${await service.makeKey({ expiresAt })}`;
		const { keyId } = await lineOf("/v1/pets", { authorization });
		await Bun.sleep(expiresAt - Date.now() + 1);
		expect(await lineOf("/v1/pets", { authorization })).toMatchObject({
			status: 401,
			keyId,
		});
	});

	test("cuts a path at 100 characters", async () => {
		const path = `/${"long/".repeat(500)}`;
		const line = await lineOf(path, {});
		expect(line.path).toBe(`${path.slice(0, 99)}…`);
		const fits = path.slice(0, 100);
		expect((await lineOf(fits, {})).path).toBe(fits);
	});

	test("logs control characters in a path as they were sent, encoded", async () => {
		const path = "/%1b[2J%0a%0d%e2%80%ae?%00";
		expect((await lineOf(path, {})).path).toBe(path);
	});

	const stored = `pet_${"a1B2".repeat(9)}zz`;
	const encoded = (text: string) =>
		text.replace(/./g, (c) => `%${c.charCodeAt(0).toString(16)}`);
	const token = `eyJhbGciOiJIUzI1NiJ9-${"c3VjaCBhIHRva2Vu".repeat(3)}`;
	test.each([
		["/v1/pets?access_token=abc&limit=5", "/v1/pets?access_token=***&limit=5"],
		["/x?api_key=abc", "/x?api_key=***"],
		["/x?a=b&My-Password=abc", "/x?a=b&My-Password=***"],
		["/x?%6bey=abc", "/x?key=***"],
		[`/v1/pets/${stored}`, "/v1/pets/***"],
		[`/x-${stored}.json?a=${stored}`, "/x-***.json?a=***"],
		[`/x/${stored.slice(0, 12)}`, "/x/***"],
		[`/x/${encoded(stored)}/y`, "/x/***/y"],
		[`/x/%70${stored.slice(1)}`, "/x/***"],
		[`/x/${stored.slice(4)}`, "/x/***"],
		[`/x?a=${token}`, "/x?a=***"],
		[`/v1/${apiKey}/pets`, "/v1/***/pets"],
		[`/v1/a${apiKey}b?c=${apiKey}`, "/v1/a***b?c=***"],
		[`/v1/${encoded(apiKey)}`, "/v1/***"],
		[`/x/${encodeURIComponent(apiKey)}`, "/x/***"],
	])("masks text that looks like a key: %s", async (path, shown) => {
		expect((await lineOf(path, {})).path).toBe(shown);
	});

	test("shows no part of a key where it cuts a path", async () => {
		for (const key of [stored, apiKey, encoded(stored), encoded(apiKey)])
			for (let length = 40; length <= 100; length++) {
				const path = `/${"x".repeat(length)}/${key}/${"y".repeat(1_000)}`;
				const shown = String((await lineOf(path, {})).path);
				expect(shown).toMatch(/^\/x+(\/|\/\*\*\*(\/y*)?)?…$/);
			}
	});

	test("masks a key or a session cookie in X-Request-Id in the log, and sends it back", async () => {
		const before = service.log.length;
		const cookie = `petstore=${generateToken().token}`;
		for (const id of [
			...[`a-${stored}`, `${"x".repeat(100)}:${apiKey}`],
			...[cookie, `a=1;__Host-${cookie}`],
		]) {
			const headers = { "X-Request-Id": id };
			const reply = await service.call("/healthz", { headers });
			expect(reply.headers.get("X-Request-Id")).toBe(id);
		}
		const lines = service.log.slice(before);
		expect(lines.map(({ requestId }) => requestId)).toEqual([
			"a-***",
			`${"x".repeat(100)}:***`,
			"petstore=***",
			"a=1;__Host-petstore=***",
		]);
	});
});

const hasIpv6 = Object.values(networkInterfaces())
	.flat()
	.some((address) => address?.family === "IPv6");

test.skipIf(!hasIpv6)(
	"logs the IPv4 address of a client, even if the service listens on IPv6 addresses",
	async () => {
		const clients: unknown[] = [];
		const service = await openPetstore({
			database: "sqlite::memory:",
			address: { host: "::", port: 0 },
			log: {
				to: logTo(({ client }) => clients.push(client)),
				requests: true,
			},
		});
		const { port } = new URL(service.url);
		await fetch(`http://127.0.0.1:${port}/healthz`);
		await service.stop();
		expect(clients).toEqual(["127.0.0.1"]);
	},
);
