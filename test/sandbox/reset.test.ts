// What a reset brings back, and what it forgets and ends.
import { expect, spyOn, test } from "bun:test";
import { openPetstore } from "../../src/petstore.ts";
import { makeKey } from "../harness/key.ts";
import { silentLog } from "../harness/log.ts";
import { connect, request } from "../harness/raw.ts";
import { expectError } from "../service.ts";
import { openSandboxForFile } from "./open.ts";

const sandbox = openSandboxForFile();
const rex = '{"name":"Rex","categoryId":1}';

async function reset(body?: string): Promise<Response> {
	return sandbox().call("/sandbox/reset", {
		method: "POST",
		...(body !== undefined && { body }),
	});
}

test("brings back the animals of the start, with ids from 1, or others for this time only", async () => {
	const { call, add, names } = sandbox();
	const usual = await names(100);
	const first = await (await call("/v1/pets/1")).text();
	await add("Rex");
	expect((await reset()).status).toBe(204);
	expect(await names(100)).toEqual(usual);
	expect(await (await call("/v1/pets/1")).text()).toBe(first);
	const added = await call("/v1/pets", { method: "POST", body: rex });
	expect(added.headers.get("Location")).toBe("/v1/pets/251");

	await reset('{"pets": 3}');
	expect(await names(100)).toHaveLength(3);
	await reset('{"seed": 9007199254740991}');
	const others = await names(100);
	expect(others).toHaveLength(100);
	expect(others).not.toEqual(usual);

	const own = (id: string) =>
		reset(`{"pets": [{"id": ${id}, "name": "Own", "categoryId": 1}]}`);
	for (const id of ["0", "-1", "9223372036854775808"])
		expect((await own(id)).status).toBe(400);
	await own("9223372036854775806");
	expect([await add("Last"), await add("None")]).toEqual([201, 507]);
	expect(await names(100)).toEqual(["Last", "Own"]);
	await reset();
	expect(await names(100)).toEqual(usual);
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

test("keeps lists in memory until a change, as without a sandbox", async () => {
	const { names, add, petstore } = sandbox();
	using listed = spyOn(petstore.store.catalogue, "listPets");
	await names(3);
	await names(3);
	await add("Rex");
	await names(3);
	expect(listed).toHaveBeenCalledTimes(2);
});

test("brings back the faults of the start", async () => {
	const { url, stop } = await openPetstore({
		database: "sqlite::memory:",
		sandbox: { pets: 1, seed: 1, faults: [{ status: 503 }] },
		log: { to: silentLog },
	});
	const headers = { Authorization: "Bearer sandbox" };
	const list = async () => (await fetch(`${url}/v1/pets`, { headers })).status;
	expect([await list(), await list()]).toEqual([503, 200]);
	await fetch(`${url}/sandbox/reset`, { method: "POST" });
	expect([await list(), await list()]).toEqual([503, 200]);
	await stop();
});

test("forgets Idempotency-Keys, fault rules, recorded requests, keys and sessions", async () => {
	const { add, putFaults, call, requests, petstore } = sandbox();
	const { keys, sessions } = petstore.store;
	const once = { "Idempotency-Key": "once" };
	await add("Rex", once);
	expect(await add("Max", once)).toBe(422);
	const { key, record } = makeKey();
	await keys.add(record);
	const hash = "of a session";
	await sessions.add({ hash, keyHash: record.hash, createdAt: 1 });
	const headers = { Authorization: `Bearer ${key}` };
	expect((await call("/v1/pets", { headers })).status).toBe(200);
	await putFaults([{ times: "always", status: 503 }]);
	await reset();
	expect(await requests()).toEqual([]);
	expect(await (await call("/sandbox/faults")).json()).toEqual([]);
	expect(await add("Max", once)).toBe(201);
	expect((await call("/v1/pets", { headers })).status).toBe(401);
	expect(await keys.list()).toEqual([]);
	expect(await sessions.find(hash)).toBeUndefined();
});

test.each([
	["waits in a delay", [{ delay: 1000 }], ""],
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

test("refuses a wrong start, and changes nothing", async () => {
	const { add, names } = sandbox();
	await add("Rex");
	for (const [body, message] of [
		['{"pet": 1}', /^pet is unknown/],
		['{"pets": 1000001}', /^pets must be a whole number/],
		[`{"pets": [${rex}, {"name": "Tom"}]}`, /^pets\[1\].categoryId /],
		[`{"pets": [${rex}, {"id": 1, ${rex.slice(1)}]}`, /^pets\[0\].id /],
		[
			`{"pets": [{"id": 7, ${rex.slice(1)}, {"id": 7, ${rex.slice(1)}]}`,
			/^pets\[1\].id 7 is used twice/,
		],
	] as const)
		await expectError(await reset(body), "invalid_body", message);
	expect(await names(1)).toEqual(["Rex"]);
});
