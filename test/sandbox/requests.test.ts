// Recorded requests: what they show, and how a test asks for them.

import { heapStats } from "bun:jsc";
import { expect, test } from "bun:test";
import { noSocket } from "../../src/http/surface.ts";
import { createRequests } from "../../src/sandbox/requests.ts";
import { makeKey } from "../harness/key.ts";
import { request, sendRaw } from "../harness/raw.ts";
import { expectError } from "../service.ts";
import { openSandboxForFile } from "./open.ts";

const sandbox = openSandboxForFile();
const rex = '{"name":"Rex","categoryId":1}';

test("have the request of the client and the status of the reply, oldest first, until they are deleted", async () => {
	const { call, requests } = sandbox();
	const before = Date.now();
	await call("/v1/pets?limit=1&x=%20", {
		headers: {
			...{ "X-Own": "Yes", Cookie: "petstore=a; __Host-petstore=b; c=3" },
			...{ "Sandbox-Fault": "delay=20", "X-Request-Id": "mine" },
		},
	});
	await call("/v1/pets", { method: "POST", body: '{"name":"Zoë"' });
	await call("/v1/pets", {
		method: "POST",
		body: rex,
		headers: { Authorization: "Basic c2VjcmV0" },
	});
	await call("/nothing");
	const recorded = await requests();
	expect(recorded).toMatchObject([
		{
			method: "GET",
			path: "/v1/pets?limit=1&x=%20",
			headers: {
				authorization: "Bearer ***",
				cookie: "petstore=***; __Host-petstore=***; c=3",
				"x-own": "Yes",
			},
			body: "",
			...{ status: 200, requestId: "mine", operation: "listPets" },
			fault: { delay: 20 },
		},
		{ method: "POST", path: "/v1/pets", body: '{"name":"Zoë"', status: 400 },
		{
			headers: { authorization: "Basic ***" },
			...{ body: rex, status: 401, operation: "createPet", fault: null },
		},
		{ status: 404, operation: null, fault: null },
	]);
	const [{ durationMs = 0, at = "" } = {}] = recorded;
	expect(durationMs).toBeWithin(19, 5_000);
	expect(Date.parse(at)).toBeWithin(before, Date.now() + 1);
	const deleted = await call("/sandbox/requests", { method: "DELETE" });
	expect(deleted.status).toBe(204);
	expect(await requests()).toEqual([]);
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
		["/operator/v1/sessions/current", "wrong"],
	] as const)
		await call(path, { headers: { Authorization: `Bearer ${sent}` } });
	const keys = (await requests()).map((one) => one.key);
	expect(keys).toEqual(["sandbox", String(id), null, null, null]);
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

test("are at most the last 1,000, and 16 MiB of JSON", async () => {
	const { answer, list } = createRequests();
	const app = { answer: () => new Response() };
	for (let index = 0; index < 1_005; index++)
		await answer(app, new Request(`http://localhost/${index}`), noSocket);
	const recorded = await list({});
	expect(recorded).toHaveLength(1_000);
	expect(recorded[0]?.path).toBe("/5");
	Bun.gc(true);
	// A reply may be long.
	expect(heapStats().objectTypeCounts.Response ?? 0).toBeLessThan(100);
	const init = { method: "POST", body: "x".repeat(65_536) };
	for (let index = 0; index < 260; index++)
		await answer(app, new Request(`http://localhost/${index}`, init), noSocket);
	const few = await list({});
	expect(JSON.stringify(few).length).toBeWithin(2 ** 24 - 70_000, 2 ** 24);
	expect(few.at(-1)?.path).toBe("/259");
});

test("have the unsent status if the connection was cut after the request was executed", async () => {
	const { url, requests } = sandbox();
	const outcomes = [
		["after-commit", rex, null, 201],
		["after-commit", "{}", null, 400],
		["before", rex, null, null],
		["mid-body", rex, 201, null],
		["mid-body", "", null, 204],
	] as const;
	for (const [drop, body] of outcomes) {
		const line = body === "" ? "DELETE /operator/v1/pets/1" : "POST /v1/pets";
		const lines = [
			...["Authorization: Bearer sandbox", `Sandbox-Fault: drop=${drop}`],
			`Content-Length: ${body.length}`,
		];
		await sendRaw(url, request(line, lines, body));
	}
	expect(await requests()).toMatchObject(
		outcomes.map(([, , status, unsentStatus]) => ({ status, unsentStatus })),
	);
});

test("have no status if the client gave up before its reply", async () => {
	const { call, requests, names } = sandbox();
	const headers = { "Sandbox-Fault": "delay=100" };
	const signal = AbortSignal.timeout(30);
	const init = { method: "POST", body: rex, headers, signal };
	await call("/v1/pets", init).catch(() => {});
	let recorded = await requests();
	while (recorded.length === 0) recorded = await requests();
	expect(recorded).toMatchObject([{ status: null, unsentStatus: 201 }]);
	expect(await names(1)).toEqual(["Rex"]);
});

test("can be read after many requests that met a rule with a long reply", async () => {
	const { call, putFaults, requests } = sandbox();
	const reply = { status: 200, body: "x".repeat(1_000_000) };
	await putFaults([{ times: "always", reply }]);
	for (let count = 0; count < 40; count++)
		await (await call("/v1/pets")).bytes();
	expect(await requests()).toHaveLength(16);
});

test("name the operation that answered", async () => {
	const { call, requests } = sandbox();
	for (const path of ["export", "count", "1"])
		await (await call(`/operator/v1/pets/${path}`)).bytes();
	const found = (await requests()).map(({ operation }) => operation);
	expect(found).toEqual(["exportPets", "countPets", "readPet"]);
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
	const misspelt = await call("/sandbox/requests?operatoin=listPets");
	await expectError(misspelt, "invalid_parameter", /the known ones are/);
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

test("are logged, except the reads that the page of the sandbox repeats, which are not recorded either", async () => {
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
