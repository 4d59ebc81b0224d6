// Reset, recorded requests, and who may call the paths of the sandbox.
import { describe, expect, test } from "bun:test";
import { openPetstore } from "../../src/petstore.ts";
import { createRequests } from "../../src/sandbox/requests.ts";
import { makeKey } from "../harness/key.ts";
import { silentLog } from "../harness/log.ts";
import { connect, request, sendRaw } from "../harness/raw.ts";
import { expectError, openService } from "../service.ts";
import { openSandboxForFile } from "./open.ts";

const sandbox = openSandboxForFile();
const rex = '{"name":"Rex","categoryId":1}';

async function reset(body?: string): Promise<Response> {
	return sandbox().call("/sandbox/reset", {
		method: "POST",
		...(body !== undefined && { body }),
	});
}

describe("Reset", () => {
	test("brings back the animals of the start, with ids from 1", async () => {
		const { call, add, names } = sandbox();
		const before = await names(100);
		const first = await (await call("/v1/pets/1")).text();
		await add("Rex");
		expect((await call("/v1/pets/251")).status).toBe(200);
		expect((await reset()).status).toBe(204);
		expect(await names(100)).toEqual(before);
		expect(await (await call("/v1/pets/1")).text()).toBe(first);
		const added = await call("/v1/pets", { method: "POST", body: rex });
		expect(added.headers.get("Location")).toBe("/v1/pets/251");
	});

	test("accepts another number and another seed, for this time only", async () => {
		const { names } = sandbox();
		const usual = await names(100);
		await reset('{"pets": 3}');
		expect(await names(100)).toHaveLength(3);
		await reset('{"seed": 9007199254740991}');
		const others = await names(100);
		expect(others).toHaveLength(100);
		expect(others).not.toEqual(usual);
		await reset('{"pets": 0, "seed": 0}');
		expect(await names(100)).toEqual([]);
		await reset();
		expect(await names(100)).toEqual(usual);
	});

	test("accepts own animals with any id, for this time only", async () => {
		const { names, add } = sandbox();
		const usual = await names(100);
		const own = (id: string) =>
			reset(`{"pets": [{"id": ${id}, "name": "Own", "categoryId": 1}]}`);
		for (const id of ["0", "-1", "9223372036854775808"])
			expect((await own(id)).status).toBe(400);
		await own("9223372036854775806");
		expect([await add("Last"), await add("None")]).toEqual([201, 507]);
		expect(await names(100)).toEqual(["Last", "Own"]);
		await reset();
		expect(await names(100)).toEqual(usual);
		expect(await add("Rex")).toBe(201);
	});

	test("begins an epoch: ETags, cursors and positions of before are not valid", async () => {
		const { call } = sandbox();
		const paths = ["/v1/pets", "/v1/pets/1", "/operator/v1/pets/1"];
		const tagOf = async (path: string) =>
			(await call(path)).headers.get("ETag") ?? "none";
		const before = await Promise.all(paths.map(tagOf));
		const link = (await call("/v1/pets")).headers.get("Link") ?? "";
		const [, next = "none"] = /<(.*)>/.exec(link) ?? [];
		const find = "/operator/v1/pets?limit=1";
		const found = await (await call(find)).json();
		const feed = await (await call("/operator/v1/changes?limit=1")).text();
		const [position = ""] = /(?<="next":)\d+/.exec(feed) ?? [];
		const replies = async () => [
			...(await Promise.all(
				paths.map((path, index) =>
					call(path, { headers: { "If-None-Match": before[index] ?? "" } }),
				),
			)),
			await call(next),
			await call(`${find}&cursor=${found.next}`),
			await call(`/operator/v1/changes?after=${position}`),
		];
		const statuses = async () => (await replies()).map(({ status }) => status);
		expect(await statuses()).toEqual([304, 304, 304, 200, 200, 200]);
		await reset();
		expect(await statuses()).toEqual([200, 200, 200, 400, 400, 410]);
	});

	test("brings back the faults of the start", async () => {
		const { url, stop } = await openPetstore({
			database: "sqlite::memory:",
			sandbox: { pets: 1, seed: 1, faults: [{ status: 503n }] },
			log: { to: silentLog },
		});
		const headers = { Authorization: "Bearer sandbox" };
		const list = async () =>
			(await fetch(`${url}/v1/pets`, { headers })).status;
		expect([await list(), await list()]).toEqual([503, 200]);
		await fetch(`${url}/sandbox/reset`, { method: "POST" });
		expect([await list(), await list()]).toEqual([503, 200]);
		await stop();
	});

	test("forgets Idempotency-Keys, fault rules and recorded requests", async () => {
		const { add, putFaults, call, requests } = sandbox();
		const once = { "Idempotency-Key": "once" };
		await add("Rex", once);
		expect(await add("Max", once)).toBe(422);
		await putFaults([{ times: "always", status: 503 }]);
		await reset();
		expect(await requests()).toEqual([]);
		expect(await (await call("/sandbox/faults")).json()).toEqual([]);
		expect(await add("Max", once)).toBe(201);
	});

	test("removes keys and sessions", async () => {
		const { petstore, call } = sandbox();
		const { store } = petstore;
		const { key, record } = makeKey();
		await store.keys.add(record);
		const hash = "of a session";
		await store.sessions.add({ hash, keyHash: record.hash, createdAt: 1 });
		expect(await store.sessions.find(hash)).toBeDefined();
		const headers = { Authorization: `Bearer ${key}` };
		expect((await call("/v1/pets", { headers })).status).toBe(200);
		await reset();
		expect((await call("/v1/pets", { headers })).status).toBe(401);
		expect(await petstore.store.keys.list()).toEqual([]);
		expect(await petstore.store.sessions.find(hash)).toBeUndefined();
	});

	test.each([
		["waits in a delay", [{ delay: 1000 }], ""],
		[
			"waits in a delay before a cut",
			[{ delay: 1000, drop: "after-commit" }],
			"",
		],
		["has a body that still arrives", [], " "],
	])(
		"closes the connection of an add that %s, and neither executes nor records it",
		async (_what, rules, rest) => {
			const { url, names, putFaults, requests, call } = sandbox();
			await putFaults(rules);
			const body = rex + rest;
			const sent = request(
				"POST /v1/pets",
				["Authorization: Bearer sandbox", `Content-Length: ${body.length}`],
				rex,
			);
			const socket = connect(url);
			let received = "";
			socket.on("data", (data) => {
				received += data;
			});
			const isClosed = new Promise((resolve) => socket.on("close", resolve));
			socket.on("error", () => {}).write(sent);
			await Bun.sleep(100);
			const begun = performance.now();
			expect((await reset()).status).toBe(204);
			await isClosed;
			expect(performance.now() - begun).toBeLessThan(800);
			await Bun.sleep(1000);
			expect(received).toBe("");
			expect(await names(1)).toEqual(["Cinnamon"]);
			expect(await requests()).toMatchObject([{ path: "/v1/pets?limit=1" }]);
			const added = await call("/v1/pets", { method: "POST", body: rex });
			expect(added.headers.get("Location")).toBe("/v1/pets/251");
			expect(sandbox().log.filter(({ level }) => level !== "info")).toEqual([]);
		},
	);

	test("keeps no add that arrived before it, even while an earlier reset runs", async () => {
		const { petstore, names } = sandbox();
		const headers = { Authorization: "Bearer sandbox", Host: "localhost" };
		const send = (path: string, body?: string) =>
			petstore.fetch(
				new Request(`http://localhost${path}`, {
					method: "POST",
					headers,
					...(body !== undefined && { body }),
				}),
			);
		for (let turns = 0; turns < 30; turns++) {
			const first = send("/sandbox/reset");
			for (let count = 0; count < turns; count++) await null;
			const add = send("/v1/pets", rex);
			const last = await send("/sandbox/reset");
			expect(last.status).toBe(204);
			await Promise.all([first, add]);
			expect([turns, ...(await names(1))]).toEqual([turns, "Cinnamon"]);
		}
	});

	test.each([
		["{", "The body must be JSON"],
		['{"pet": 1}', "pet is unknown; did you mean pets?"],
		['{"pets": 1000001}', "pets must be a whole number from 0 to 1000000, or"],
		[`{"pets": [${rex}, {"name": "Tom"}]}`, "pets[1].categoryId is required."],
		[
			`{"pets": [${rex}, {"id": 1, ${rex.slice(1)}]}`,
			"pets[0].id is required.",
		],
		[
			`{"pets": [{"id": 7, ${rex.slice(1)}, {"id": 7, ${rex.slice(1)}]}`,
			"pets[1].id 7 is used twice.",
		],
	])("refuses %s, and changes nothing", async (body, message) => {
		const { add, names } = sandbox();
		await add("Rex");
		const pattern = new RegExp(`^${RegExp.escape(message)}`);
		await expectError(await reset(body), "invalid_body", pattern);
		expect(await names(1)).toEqual(["Rex"]);
	});
});

describe("Recorded requests", () => {
	test("have the request of the client and the status of the reply, oldest first", async () => {
		const { call, url, requests } = sandbox();
		await call("/v1/pets?limit=1&x=%20", {
			headers: { "X-Own": "Yes", Cookie: "a=1; petstore=secret; b=2" },
		});
		await call("/v1/pets", { method: "POST", body: '{"name":"Zoë"' });
		await call("/v1/pets", {
			method: "POST",
			body: rex,
			headers: { Authorization: "Basic c2VjcmV0" },
		});
		const dropped = request("GET /v1/pets", [
			"Authorization: Bearer sandbox",
			"Sandbox-Fault: drop=before",
		]);
		await sendRaw(url, dropped);
		expect(await requests()).toMatchObject([
			{
				method: "GET",
				path: "/v1/pets?limit=1&x=%20",
				headers: {
					authorization: "Bearer ***",
					cookie: "a=1; petstore=***; b=2",
					"x-own": "Yes",
				},
				body: "",
				status: 200,
			},
			{ method: "POST", path: "/v1/pets", body: '{"name":"Zoë"', status: 400 },
			{ headers: { authorization: "Basic ***" }, body: rex, status: 401 },
			{ method: "GET", body: "", status: null },
		]);
	});

	test("have no key and no link of a sign-in", async () => {
		const { call, requests, url } = sandbox();
		for (const body of ['{"key":"sandbox"}', '{"link":"x"}', '{"key":"pet'])
			await call("/operator/v1/sessions", {
				method: "POST",
				body,
				headers: { Origin: url },
			});
		await call("/operator/v1/sessions/current");
		const recorded = await requests();
		expect(recorded.map(({ body, status }) => [body, status])).toEqual([
			["***", 204],
			["***", 401],
			["***", 400],
			["", 200],
		]);
	});

	test("name the key of a request for an operation, if it is valid", async () => {
		const { call, petstore, requests } = sandbox();
		const { key, record } = makeKey();
		const { id } = await petstore.store.keys.add(record);
		for (const [path, sent] of [
			["/v1/pets", "sandbox"],
			["/v1/pets", key],
			["/v1/pets", "wrong"],
			["/healthz", "sandbox"],
		] as const)
			await call(path, { headers: { Authorization: `Bearer ${sent}` } });
		const keys = (await requests()).map((one) => one.key);
		expect(keys).toEqual(["sandbox", String(id), null, null]);
	});

	test("can be deleted", async () => {
		const { call, requests } = sandbox();
		await call("/healthz");
		expect(await requests()).toMatchObject([{ path: "/healthz", status: 200 }]);
		const deleted = await call("/sandbox/requests", { method: "DELETE" });
		expect(deleted.status).toBe(204);
		expect(await requests()).toEqual([]);
	});

	test("have a body in chunks, and the start of one that is too large", async () => {
		const { call, requests } = sandbox();
		const chunks = new ReadableStream({
			start(stream) {
				for (const part of [rex.slice(0, 5), rex.slice(5)])
					stream.enqueue(new TextEncoder().encode(part));
				stream.close();
			},
		});
		const added = await call("/v1/pets", { method: "POST", body: chunks });
		expect(added.status).toBe(201);
		const large = "x".repeat(70_000);
		await call("/v1/pets", { method: "POST", body: large });
		const [first, second] = await requests();
		expect(first).toMatchObject({ body: rex, status: 201 });
		expect(second?.status).toBe(413);
		expect(large.slice(0, 65_536)).toStartWith(second?.body ?? "none");
	});

	test("are at most the last 1,000", async () => {
		const { begin, list } = createRequests();
		for (let index = 0; index < 1_005; index++)
			await begin(new Request(`http://localhost/${index}`)).end();
		const recorded = await list({});
		expect(recorded).toHaveLength(1_000);
		expect(recorded[0]?.path).toBe("/5");
	});

	test("have their time, duration, request id, operation and fault", async () => {
		const { call, requests } = sandbox();
		const before = Date.now();
		await call("/v1/pets", {
			headers: { "Sandbox-Fault": "delay=20", "X-Request-Id": "mine" },
		});
		await call("/v1/pets/1", { headers: { Authorization: "Bearer wrong" } });
		await call("/nothing");
		const [delayed, refused, unknown] = await requests();
		expect(delayed).toMatchObject({
			requestId: "mine",
			operation: "listPets",
			fault: { delay: 20 },
		});
		expect(delayed?.durationMs).toBeWithin(19, 5_000);
		expect(Date.parse(delayed?.at ?? "")).toBeWithin(before, Date.now() + 1);
		expect(refused).toMatchObject({ operation: "getPet", fault: null });
		expect(unknown).toMatchObject({ operation: null, fault: null });
	});

	test("have the unsent status if the connection was cut after the request was executed", async () => {
		const { url, requests } = sandbox();
		const send = (drop: string, body: string, line = "POST /v1/pets") =>
			sendRaw(
				url,
				request(
					line,
					[
						...[`Sandbox-Fault: drop=${drop}`, "Authorization: Bearer sandbox"],
						`Content-Length: ${body.length}`,
					],
					body,
				).replace("Host: x", "Host: localhost"),
			);
		await send("after-commit", rex);
		await send("after-commit", "{}");
		await send("before", rex);
		await send("mid-body", rex);
		await send("mid-body", "", "DELETE /operator/v1/pets/1");
		expect(
			(await requests()).map(({ status, unsentStatus }) => [
				status,
				unsentStatus,
			]),
		).toEqual([
			[null, 201],
			[null, 400],
			[null, null],
			[201, null],
			[null, 204],
		]);
	});

	test("are filtered by operation, method, path, header and time", async () => {
		const { call, add } = sandbox();
		const read = async (query: string) => {
			const reply = await call(`/sandbox/requests?${query}`);
			return (await reply.json()).length;
		};
		await call("/v1/pets");
		await add("Rex");
		await Bun.sleep(5);
		const since = new Date().toISOString();
		await call("/v1/pets");
		expect(await read("operation=listPets")).toBe(2);
		expect(await read("method=POST")).toBe(1);
		await call("/v1/pets/1?x=1", { headers: { "X-Own": "a:b" } });
		expect(await read("path=/v1/pets/1")).toBe(1);
		expect(await read("header=x-OWN:a:b")).toBe(1);
		expect(await read("header=X-Own:a")).toBe(0);
		const preflight = { "Access-Control-Request-Method": "GET" };
		await call("/v1/pets", { method: "OPTIONS", headers: preflight });
		expect(await read("method=OPTIONS")).toBe(0);
		expect(await read("method=OPTIONS&preflights=true")).toBe(1);
		expect(await read(`since=${since}&path=/v1/pets`)).toBe(1);
		expect(await read(`since=${since}&method=POST`)).toBe(0);
	});

	test("are sent when they reach the count, when the wait is over, or at a reset", async () => {
		const { call, add } = sandbox();
		const wait = async (query: string) =>
			(await call(`/sandbox/requests?operation=createPet&${query}`)).json();
		const two = wait("count=2&wait=20000");
		await add("Rex");
		await add("Tom");
		expect(await two).toHaveLength(2);
		expect(await wait("count=3&wait=30")).toHaveLength(2);
		const begun = performance.now();
		const ended = wait("count=3&wait=20000");
		await Bun.sleep(20);
		await call("/sandbox/reset", { method: "POST" });
		expect(await ended).toEqual([]);
		expect(performance.now() - begun).toBeLessThan(10_000);
	});

	test.each([
		["operation=createPets", "operation must be one of listPets, createPet"],
		["path=v1", "path must begin with /"],
		["header=X-Own", "header must be Name:value"],
		["since=yesterday", "since must be a time of RFC 3339 with an offset"],
		["operatoin=listPets", "operatoin is unknown; did you mean operation?"],
	])("refuses the query %s: %s", async (query, message) => {
		const pattern = new RegExp(`^${RegExp.escape(message)}`);
		const reply = await sandbox().call(`/sandbox/requests?${query}`);
		await expectError(reply, "invalid_parameter", pattern);
	});
});

describe("Access to the sandbox", () => {
	const paths = [
		"GET /sandbox/faults",
		"GET /sandbox/requests",
		"POST /sandbox/reset",
	];
	const local = [
		["Host: localhost"],
		["Host: LOCALHOST:8080"],
		["Host: 127.0.0.1:1"],
		["Host: [::1]:8080"],
		["Host: localhost", "Origin: http://localhost:5173"],
		["Host: localhost", "Origin: https://127.0.0.1"],
		["Host: localhost", "Origin: http://[::1]:8080"],
	];
	const foreign = [
		["Host: shop.example"],
		["Host: localhost.shop.example"],
		["Host: shop.example:127.0.0.1"],
		["Host: 127.0.0.2"],
		["Host: localhost", "Host: shop.example"],
		["Host: localhost", "Origin: null"],
		["Host: localhost", "Origin: http://shop.example"],
		["Host: localhost", "Origin: http://localhost.shop.example"],
		["Host: localhost", "Origin: http://shop.example/localhost"],
		["Host: localhost", "Origin: file://localhost"],
	];
	const send = (start: string, lines: readonly string[]) =>
		sendRaw(
			sandbox().url,
			[`${start} HTTP/1.1`, ...lines, "Content-Length: 0", "", ""].join("\r\n"),
		);
	test("answers requests of this machine, and lets its pages read the reply", async () => {
		for (const lines of local)
			for (const start of paths) {
				const reply = await send(start, lines);
				const [, allowed] =
					/^Access-Control-Allow-Origin: (.*)\r$/m.exec(reply) ?? [];
				const [, origin] = /^Origin: (.*)$/.exec(lines[1] ?? "") ?? [];
				expect([lines, reply, allowed]).toEqual([
					...[lines, expect.stringMatching(/^HTTP\/1\.1 20[04] /), origin],
				]);
			}
	});

	test("answers 403 to other requests, and changes nothing", async () => {
		const { add, names } = sandbox();
		await add("Rex");
		const others = ["OPTIONS /sandbox/reset", "GET /sandbox/x"];
		for (const lines of foreign)
			for (const start of [...paths, ...others]) {
				const reply = await send(start, lines);
				expect([lines, reply]).toEqual([
					...[lines, expect.stringMatching(/^HTTP\/1\.1 403 /)],
				]);
				expect(reply).toContain('"code":"forbidden"');
				expect(reply).not.toContain("Access-Control-Allow-Origin");
			}
		expect(await names(1)).toEqual(["Rex"]);
	});

	test("answers the paths for operators only with a local Host and a local Origin, and others with any Host", async () => {
		const operatorPaths = [
			"/operator/v1/pets",
			"/operator/v1/sessions/current",
		];
		const key = "Authorization: Bearer sandbox";
		const statusOf = async (path: string, lines: readonly string[]) =>
			Number((await send(`GET ${path}`, [...lines, key])).slice(9, 12));
		for (const path of [...operatorPaths, "/operator/openapi.json", "/metrics"])
			for (const [lines, status] of [
				[["Host: 127.0.0.1:1"], 200],
				[["Host: shop.example"], 403],
				[["Host: localhost", "Origin: http://shop.example"], 403],
			] as const)
				expect([path, lines, await statusOf(path, lines)]).toEqual([
					path,
					lines,
					status,
				]);
		for (const path of ["/v1/pets", "/healthz", "/", "/console"])
			expect(await statusOf(path, ["Host: shop.example"])).toBe(200);
	});

	test("lets a page of this machine read errors and send preflight requests", async () => {
		const origin = "http://localhost:5173";
		const asked = { "Access-Control-Request-Headers": "sandbox-fault" };
		const headers = { Origin: origin, ...asked };
		for (const [path, method, status] of [
			["/sandbox/faults", "OPTIONS", 204],
			["/sandbox/faults", "POST", 405],
			["/sandbox/nothing", "GET", 404],
		] as const) {
			const reply = await sandbox().call(path, { method, headers });
			expect(reply.status).toBe(status);
			expect(reply.headers.get("Access-Control-Allow-Origin")).toBe(origin);
			expect(reply.headers.get("Vary")).toContain("Origin");
			if (method === "OPTIONS")
				expect(reply.headers.get("Access-Control-Allow-Headers")).toBe(
					"sandbox-fault",
				);
		}
	});
});

test("logs requests, except the reads that its page repeats, which are not recorded either", async () => {
	const { call, log, requests, add } = sandbox();
	await add("Rex");
	await call("/sandbox/requests");
	const counted = await call("/sandbox/animals");
	expect(await counted.json()).toEqual({ animals: 251 });
	await call("/sandbox/faults", { method: "DELETE" });
	expect(log.map(({ method, route }) => `${method} ${route}`)).toEqual([
		"POST /v1/pets",
		"DELETE /sandbox/faults",
	]);
	expect(await requests()).toHaveLength(1);
});

describe("Never elsewhere", () => {
	test("answers 404 to the paths of the sandbox, ignores its header and refuses its key in another service", async () => {
		const service = await openService("over a socket");
		for (const [method, path] of [
			["POST", "/sandbox/reset"],
			["GET", "/sandbox/faults"],
			["PUT", "/sandbox/faults"],
			["GET", "/sandbox/requests"],
		] as const)
			expect((await service.call(path, { method })).status).toBe(404);
		const headers = { "Sandbox-Fault": "status=503" };
		expect((await service.call("/v1/pets", { headers })).status).toBe(200);
		const authorization = "Bearer sandbox";
		const refused = await service.call("/v1/pets", { authorization });
		expect(refused.status).toBe(401);
		await service.close();
	});

	test.each([
		[{ address: { host: "0.0.0.0", port: 0 } }, "without --allow-host"],
		[{ address: { host: "127.0.0.2", port: 0 } }, "without --allow-host"],
	])("openPetstore refuses a sandbox with %j", async (options, message) => {
		const opening = openPetstore({
			database: "sqlite::memory:",
			sandbox: { pets: 1, seed: 1 },
			...options,
		});
		await expect(opening).rejects.toThrow(message);
	});
});
