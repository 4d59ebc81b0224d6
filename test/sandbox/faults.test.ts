// Faults: the requests that they apply to, their effect on a real socket, and the rules that are refused.
import { describe, expect, test } from "bun:test";
import { errorStatus } from "../../src/domain/errors.ts";
import { toErrors } from "../../src/interface/operation.ts";
import { add } from "../../src/v1/add.ts";
import { request, sendRaw } from "../harness/raw.ts";
import { expectError } from "../service.ts";
import { openSandboxForFile } from "./open.ts";

const sandbox = openSandboxForFile();
const key = "Authorization: Bearer sandbox";
const rex = '{"name":"Rex","categoryId":1}';
const addRex = (...lines: string[]) =>
	request(
		"POST /v1/pets",
		[key, `Content-Length: ${rex.length}`, ...lines],
		rex,
	);
describe("Faults", () => {
	test("answers every status of an operation with its Error and its headers, and does nothing", async () => {
		const { call, names } = sandbox();
		const [newest = ""] = await names(1);
		const codes = new Map(
			toErrors(add).map((code) => [errorStatus[code], code]),
		);
		for (const [status, known] of [...codes, [405, "method_not_allowed"]]) {
			const headers = { "Sandbox-Fault": `status=${status}` };
			const init = { method: "POST", body: rex, headers };
			const reply = await call("/v1/pets", init);
			const { code, ...error } = await reply.json();
			expect(error).toEqual({ message: expect.any(String), status });
			expect([status, code]).toEqual([status, status === 400 ? code : known]);
			for (const [name, statuses] of Object.entries({
				"Retry-After": [429, 503],
				"WWW-Authenticate": [401],
				Allow: [405],
			}))
				expect([status, name, reply.headers.has(name)]).toEqual([
					...[status, name, statuses.includes(Number(status))],
				]);
			if (status === 401)
				expect(reply.headers.get("WWW-Authenticate")).toContain("invalid");
			if (status === 405)
				expect(reply.headers.get("Allow")).toBe("GET, HEAD, POST, OPTIONS");
		}
		expect(await names(1)).toEqual([newest]);
		const headers = { "Sandbox-Fault": "status=503" };
		const deprecated = await call("/v1/pets/1", { headers });
		expect(deprecated.headers.has("Deprecation")).toBe(true);
	});

	test.each(["before", "mid-body"])(
		"sends no byte for HEAD with drop=%s",
		async (drop) => {
			const { url, requests, call } = sandbox();
			const fault = `Sandbox-Fault: drop=${drop}`;
			const sent = sendRaw(url, request("HEAD /v1/pets", [key, fault]));
			while ((await requests()).length === 0);
			// A reply would arrive now. Bun closes the connection only after four seconds.
			await call("/healthz");
			expect(await Promise.race([sent, Bun.sleep(50)])).toBeUndefined();
		},
	);

	test("shows the rules with the times that are left, until they are deleted", async () => {
		const { call, putFaults, add } = sandbox();
		const always = { times: "always", delay: 0 };
		const twice = { operation: "createPet", times: 2, status: 503 };
		const once = { drop: "before" };
		const list = async () => (await call("/sandbox/faults")).json();
		expect((await putFaults([twice, once, always])).status).toBe(204);
		expect(await list()).toEqual([twice, { ...once, times: 1 }, always]);
		expect(await add("Rex")).toBe(503);
		expect(await list()).toEqual([
			{ ...twice, times: 1 },
			{ ...once, times: 1 },
			always,
		]);
		expect(await add("Rex")).toBe(503);
		expect(await list()).toEqual([{ ...once, times: 1 }, always]);
		await putFaults([always]);
		expect(await add("Rex")).toBe(201);
		expect(await list()).toEqual([always]);
		const cleared = await call("/sandbox/faults", { method: "DELETE" });
		expect(cleared.status).toBe(204);
		expect(await list()).toEqual([]);
	});

	test("logs one line for each request, with its fault and the status of its reply", async () => {
		const { call, url, log } = sandbox();
		await call("/v1/pets", { headers: { "Sandbox-Fault": "status=500" } });
		await call("/v1/pets", { headers: { "Sandbox-Fault": "delay=1" } });
		await sendRaw(url, addRex("Sandbox-Fault: drop=after-commit"));
		expect(log).toMatchObject([
			{ status: 500, code: "internal", fault: "status=500" },
			{ status: 200, fault: "delay=1" },
			{ method: "POST", keyId: "sandbox", fault: "drop=after-commit" },
		]);
		expect(log[2]).not.toHaveProperty("status");
	});

	test("counts no reply for a connection that a fault cuts", async () => {
		const { call, url } = sandbox();
		for (const drop of ["before", "after-commit"])
			await sendRaw(url, addRex(`Sandbox-Fault: drop=${drop}`));
		const metrics = await (await call("/metrics")).text();
		expect(metrics.match(/"createPet",status="(204|0)"/)).toBeNull();
	});
});

describe("Which requests a fault applies to", () => {
	test("applies a fault only to operations with a valid key, and to HEAD too", async () => {
		const { call, putFaults, url } = sandbox();
		await putFaults([{ operation: "listPets", status: 503 }]);
		const statuses = [];
		for (const [path, init] of [
			["/healthz", {}],
			["/openapi.json", {}],
			["/v1/nothing", {}],
			["/v1/pets", { method: "PUT" }],
			["/v1/pets", { method: "OPTIONS" }],
			["/v1/pets", { headers: { Authorization: "Bearer wrong" } }],
			["/v1/pets/1", {}],
			["/v1/pets", { method: "HEAD" }],
			["/v1/pets", {}],
		] as const)
			statuses.push((await call(path, init)).status);
		expect(statuses).toEqual([200, 200, 404, 405, 204, 401, 200, 503, 200]);
		const broken = { "Sandbox-Fault": "broken" };
		expect((await fetch(`${url}/healthz`, { headers: broken })).status).toBe(
			200,
		);
		expect((await fetch(`${url}/v1/pets`, { headers: broken })).status).toBe(
			401,
		);
	});

	test("uses the first rule that fits, one for each request", async () => {
		const { add, call, putFaults } = sandbox();
		await putFaults([
			{ operation: "getPet", status: 500 },
			{ operation: "addPet", status: 500 },
			{ status: 413 },
			{ status: 503 },
		]);
		// A rule without an operation is for /v1.
		expect((await call("/operator/v1/status")).status).toBe(200);
		expect([await add("Rex"), await add("Rex"), await add("Rex")]).toEqual([
			413, 503, 201,
		]);
	});

	test("loses the third add by one rule that skips two, and counts skips before times", async () => {
		const { url, add, call, names, putFaults } = sandbox();
		const [newest = ""] = await names(1);
		const rule = { operation: "createPet", drop: "after-commit" };
		await putFaults([{ ...rule, skip: 2 }]);
		expect([await add("One"), await add("Two")]).toEqual([201, 201]);
		const left = await (await call("/sandbox/faults")).json();
		expect(left).toEqual([{ ...rule, times: 1 }]);
		expect(await sendRaw(url, addRex())).toBe("");
		expect(await add("Four")).toBe(201);
		expect(await names(5)).toEqual(["Four", "Rex", "Two", "One", newest]);
	});

	test("matches by path, method and header, and counts only what matches", async () => {
		const { call, putFaults } = sandbox();
		await putFaults([
			{
				path: "/v1/pets/2",
				method: "GET",
				header: { "x-own": ["Yes", "No"] },
				skip: 1,
				status: 418,
			},
			{ path: "/operator/v1/pets/1", status: 409 },
		]);
		const own = { headers: { "X-Own": "Yes, No" } };
		const statuses = [];
		for (const [path, init] of [
			["/v1/pets/2", own],
			["/v1/pets/1", own],
			["/v1/pets/2", {}],
			["/v1/pets/2", { headers: { "X-Own": "yes, No" } }],
			["/v1/pets/2", { ...own, method: "HEAD" }],
			["/v1/pets/2?x=1", own],
			["/operator/v1/pets/1", {}],
		] as const)
			statuses.push((await call(path, init)).status);
		expect(statuses).toEqual([200, 200, 200, 200, 200, 418, 409]);
	});

	test("does the request before a reply or an error with after", async () => {
		const large = "x".repeat(100_000);
		const { add, putFaults, names, requests } = sandbox();
		await putFaults([
			{ operation: "createPet", reply: { status: 200 }, after: true },
			{ operation: "createPet", status: 503, after: true },
			{ operation: "createPet", reply: { status: 200, body: large } },
		]);
		expect([await add("A"), await add("B"), await add("C")]).toEqual([
			200, 503, 200,
		]);
		expect(await names(2)).toEqual(["B", "A"]);
		expect(await requests()).toMatchObject([
			{ status: 200, unsentStatus: 201, fault: { reply: { status: 200 } } },
			{ status: 503, unsentStatus: 201 },
			{ status: 200, unsentStatus: null },
			{},
		]);
	});

	test("applies a rule with a probability to this share of the requests, the same ones each time", async () => {
		const { call, putFaults } = sandbox();
		const run = async () => {
			await call("/sandbox/reset", { method: "POST" });
			await putFaults([{ times: "always", probability: 0.3, status: 503 }]);
			const statuses: number[] = [];
			for (let count = 0; count < 200; count++)
				statuses.push((await call("/v1/pets?limit=1")).status);
			return statuses;
		};
		const first = await run();
		expect(first.filter((status) => status === 503).length).toBeWithin(40, 80);
		expect(await run()).toEqual(first);
	});

	test("applies the header first, if it fits, and does not count it for a rule", async () => {
		const { add, call, putFaults } = sandbox();
		await putFaults([{ status: 503 }]);
		expect(await add("Rex", { "Sandbox-Fault": "status=429" })).toBe(429);
		expect(await add("Rex", { "Sandbox-Fault": "status=4290" })).toBe(400);
		const rule = { operation: "getPet", reply: { status: 203, body: [1] } };
		const headers = { "Sandbox-Fault": JSON.stringify(rule) };
		expect(await add("Rex", headers)).toBe(201);
		const reply = await call("/v1/pets/1", { headers });
		expect([reply.status, await reply.text()]).toEqual([203, "[1]"]);
		expect([await add("Rex"), await add("Rex")]).toEqual([503, 201]);
	});
});

test("refuses rules that say nothing, too much or something impossible, and keeps the earlier ones", async () => {
	const { putFaults, call } = sandbox();
	await putFaults([{ delay: 0 }]);
	for (const [rules, message] of [
		[{}, "The body must be a list"],
		[[{ times: 1 }], "[0] must have one of delay, status, reply, drop"],
		[[{ delay: 1, status: 503, drop: "before" }], "[0] must have one of delay"],
		[[{ drop: "before", after: true }], "[0] must have one of delay"],
		[[{ delay: 1, after: true }], "[0] must have one of delay"],
		[[{ delay: 1 }, { stats: 1 }], "[1].stats is unknown; the known ones are"],
		[[{ delay: 1, times: "twice" }], "[0].times must be"],
		[[{ status: 399 }], "[0].status must be"],
		[[{ delay: 1, path: "/v1/pets?limit=1" }], "[0].path must be"],
		[[{ delay: 1, header: { "X-A": 1 } }], "[0].header must be an object"],
		[[{ reply: { status: 304, body: "" } }], "[0].reply must have no body"],
		[
			[{ reply: { status: 200, headers: { "Content-Length": "1" } } }],
			"[0].reply.headers must be an object",
		],
		[
			[{ reply: { status: 200, headers: { "X-A": "é" } } }],
			"[0].reply.headers must be an object",
		],
	] as const) {
		const pattern = new RegExp(`^${RegExp.escape(message)}`);
		await expectError(await putFaults(rules), "invalid_body", pattern);
	}
	const kept = await (await call("/sandbox/faults")).json();
	expect(kept).toEqual([{ delay: 0, times: 1 }]);
	for (const fault of [
		...["", "tims=2; delay=1"],
		...["times=2; delay=1", "delay=1; times=2", "delay=1; operation=listPets"],
	]) {
		const headers = { "Sandbox-Fault": fault };
		const reply = await call("/v1/pets", { headers });
		await expectError(reply, "invalid_parameter", /^Sandbox-Fault/);
	}
});
