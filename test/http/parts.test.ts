// The parts of the service: a path of one part never reaches another part, and the parts for operators can have their own address.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { existsSync } from "node:fs";
import { openPetstore, type Petstore } from "../../src/petstore.ts";
import { freePort } from "../harness/free-port.ts";
import { makeKey } from "../harness/key.ts";
import { silentLog } from "../harness/log.ts";
import { request, sendRaw } from "../harness/raw.ts";
import { temporaryFolder } from "../harness/temporary.ts";

const host = "127.0.0.1";

async function open(
	options: { operatorAddress?: { host: string; port: number } } = {},
): Promise<{ petstore: Petstore; key: string }> {
	const petstore = await openPetstore({
		database: "sqlite::memory:",
		log: { to: silentLog },
		...options,
	});
	const { key, record } = makeKey({ scope: "operator" });
	await petstore.store.keys.add(record);
	return { petstore, key };
}

/** The status of the reply to a target, sent unchanged. */
async function ask(url: string, target: string, key: string): Promise<string> {
	const text = request(`GET ${target}`, [`Authorization: Bearer ${key}`]);
	const [line = ""] = (await sendRaw(url, text)).split("\r\n");
	return line.slice("HTTP/1.1 ".length, "HTTP/1.1 200".length);
}

/** Targets of the operator interface, the console or the metrics after their dot segments are resolved. */
const crossing = [
	"/v1/../operator/v1/status",
	"/v1\\..\\operator\\v1\\status",
	"/v1/%2e%2e/operator/v1/status",
	"/v1/.%2E\\operator/v1/status",
	"/x/../operator/v1/status",
	"/docs/..\\metrics",
	"/healthz/../console",
	"/assets/%2e%2e/metrics",
	"/./operator/v1/status",
	"http://x/v1/../operator/v1/status",
];

test("resolves dot segments within a part, and answers 400 to a path that would reach another", async () => {
	const { petstore, key } = await open();
	for (const target of crossing)
		for (const sent of [key, "none"])
			expect([target, await ask(petstore.url, target, sent)]).toEqual([
				...[target, "400"],
			]);
	for (const [target, status] of [
		["/v1/./pets", "200"],
		["/v1\\pets", "400"],
		["/v1/x\\..\\pets", "200"],
		["/operator/v1/pets/../sessions/current", "200"],
		["http://x/operator/v1/status", "200"],
		["/v1/", "404"],
		["/v1/../nowhere", "400"],
		["/docs/nowhere", "404"],
		["/nowhere/../x", "404"],
		["//operator/v1/status", "404"],
		["/v1/pets?x=/../operator", "200"],
	] as const)
		expect([target, await ask(petstore.url, target, key)]).toEqual([
			...[target, status],
		]);
	await petstore.stop();
});

describe("Operator address", () => {
	let opened: Awaited<ReturnType<typeof open>>;
	beforeAll(async () => {
		opened = await open({ operatorAddress: { host, port: 0 } });
	});
	afterAll(() => opened.petstore.stop());

	const call = (url: string, path: string) =>
		fetch(url + path, { headers: { Authorization: `Bearer ${opened.key}` } });

	test("answers operators at the operator address only, 404 without CORS headers elsewhere, and clients at both", async () => {
		const { url, operatorUrl } = opened.petstore;
		expect(operatorUrl).not.toBe(url);
		for (const path of [
			...["/operator/v1/status", "/operator/v1/sessions/current"],
			...["/operator/openapi.json", "/console", "/docs/operator", "/metrics"],
		]) {
			expect([path, (await call(operatorUrl, path)).status]).toEqual([
				...[path, 200],
			]);
			const { status, headers } = await call(url, path);
			const isOpen = headers.has("Access-Control-Allow-Origin");
			const isPage = path === "/console" || path.startsWith("/docs");
			expect([path, status, isOpen]).toEqual([path, 404, isPage]);
		}
		for (const path of ["/v1/pets", "/healthz", "/docs", "/openapi.json"])
			for (const one of [url, operatorUrl])
				expect([path, (await call(one, path)).status]).toEqual([path, 200]);
	});

	test("mentions neither the console nor the operator interface on the pages for clients", async () => {
		for (const path of ["/", "/docs"]) {
			const headers = { Accept: "text/html" };
			const page = await fetch(opened.petstore.url + path, { headers });
			const text = await page.text();
			expect(/href="console|\/operator/.test(text)).toBe(false);
		}
	});

	test("refuses the address for clients as the operator address, and creates no database", async () => {
		using folder = temporaryFolder();
		const database = `sqlite:${folder.path}/petstore.db`;
		const address = { host, port: await freePort() };
		const options = { database, address, operatorAddress: address };
		await expect(openPetstore(options)).rejects.toThrow(/port is in use/);
		expect(existsSync(`${folder.path}/petstore.db`)).toBe(false);
	});
});
