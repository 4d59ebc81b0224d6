// The parts of the service: a path of one part never reaches another part, and the parts for operators can have their own address.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { existsSync } from "node:fs";
import {
	type ProxyName,
	proxySkipReason,
	startConfigured,
} from "../../faults/load/proxy.ts";
import { openPetstore, type Petstore } from "../../src/petstore.ts";
import { makeTls } from "../harness/certificate.ts";
import { freePort } from "../harness/free-port.ts";
import { makeKey } from "../harness/key.ts";
import { silentLog } from "../harness/log.ts";
import { request, sendRaw } from "../harness/raw.ts";
import { temporaryFolder } from "../harness/temporary.ts";
import { startMs } from "../service.ts";

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
	"/v1/..\\operator/v1/status",
	"/v1\\..\\operator\\v1\\status",
	"/v1/%2e%2e/operator/v1/status",
	"/v1/.%2E\\operator/v1/status",
	"/v1/pets/1/../../../operator/v1/status",
	"/x/../operator/v1/status",
	"/healthz/../console",
	"/docs/..\\metrics",
	"/assets/%2e%2e/metrics",
	"/./operator/v1/status",
	"http://x/v1/../operator/v1/status",
];

describe("Path", () => {
	let opened: Awaited<ReturnType<typeof open>>;
	beforeAll(async () => {
		opened = await open();
	});
	afterAll(() => opened.petstore.stop());

	test.each(crossing)("answers 400 to %s, whatever the key", async (target) => {
		const { petstore, key } = opened;
		for (const sent of [key, "none"])
			expect(await ask(petstore.url, target, sent)).toBe("400");
	});

	test.each([
		["/v1/pets", "200"],
		["/v1/./pets", "200"],
		["/v1/x/../pets", "200"],
		["/v1\\pets", "400"],
		["/v1/x\\..\\pets", "200"],
		["/operator/v1/pets/../status", "200"],
		["http://x/operator/v1/status", "200"],
		["/v1", "404"],
		["/v1/", "404"],
		["/nowhere/../x", "404"],
		["//operator/v1/status", "404"],
		["/v1/pets?x=/../operator", "200"],
		["/", "200"],
		["/healthz", "200"],
	])("answers %s with %s", async (target, status) => {
		const { petstore, key } = opened;
		expect(await ask(petstore.url, target, key)).toBe(status);
	});
});

/** Both refuse the paths for operators. */
const rules: Readonly<Record<ProxyName, (port: string) => string>> = {
	haproxy: (port) => `
defaults
  mode http
  timeout connect 1s
  timeout client 30s
  timeout server 10s
frontend petstore
  bind :8080
  http-request deny if { path_beg /operator /console /metrics }
  default_backend copies
backend copies
  server a 127.0.0.1:${port}
`,
	nginx: (port) => `
server {
  listen 8080;
  location /operator { return 403; }
  location /console { return 403; }
  location /metrics { return 403; }
  location / { proxy_pass http://127.0.0.1:${port}; }
}
`,
};

for (const name of ["haproxy", "nginx"] as const) {
	const reason = proxySkipReason(name);
	if (reason !== undefined)
		console.warn(`not run: the rules of ${name} (${reason})`);
	test.skipIf(reason !== undefined)(
		`behind ${name}, a rule for a path applies however the path is written`,
		async () => {
			const folder = temporaryFolder();
			const { petstore, key } = await open();
			const { port } = new URL(petstore.url);
			const text = rules[name](port);
			const proxy = await startConfigured(name, folder.path, text);
			expect(await ask(proxy.url, "/v1/pets", key)).toBe("200");
			expect(await ask(proxy.url, "/operator/v1/status", key)).toBe("403");
			for (const target of crossing)
				expect([target, await ask(proxy.url, target, key)]).toEqual([
					target,
					expect.stringMatching(/^40[03]$/),
				]);
			await proxy.stop();
			await petstore.stop();
			folder.remove();
		},
		startMs,
	);
}

describe("Operator address", () => {
	let opened: Awaited<ReturnType<typeof open>>;
	beforeAll(async () => {
		opened = await open({ operatorAddress: { host, port: 0 } });
	});
	afterAll(() => opened.petstore.stop());

	const call = (url: string, path: string) =>
		fetch(url + path, { headers: { Authorization: `Bearer ${opened.key}` } });

	test.each([
		"/operator/v1/status",
		"/operator/v1/sessions/current",
		"/operator/openapi.json",
		"/console",
		"/docs/operator",
		"/metrics",
	])("answers %s at the operator address, 404 elsewhere", async (path) => {
		const { url, operatorUrl } = opened.petstore;
		expect(operatorUrl).not.toBe(url);
		expect((await call(operatorUrl, path)).status).toBe(200);
		expect((await call(url, path)).status).toBe(404);
	});

	test.each(["/v1/pets", "/healthz", "/readyz", "/docs", "/openapi.json"])(
		"answers %s at both addresses",
		async (path) => {
			const { url, operatorUrl } = opened.petstore;
			for (const one of [url, operatorUrl])
				expect((await call(one, path)).status).toBe(200);
		},
		startMs,
	);

	test("mentions neither the console nor the operator interface on the pages for clients", async () => {
		for (const path of ["/", "/docs"]) {
			const headers = { Accept: "text/html" };
			const page = await fetch(opened.petstore.url + path, { headers });
			const text = await page.text();
			expect(/href="console|\/operator/.test(text)).toBe(false);
		}
	});

	test("refuses to start when the operator address is in use", async () => {
		const { port } = new URL(opened.petstore.operatorUrl);
		const taken = open({ operatorAddress: { host, port: Number(port) } });
		await expect(taken).rejects.toThrow(/^Cannot listen on 127\.0\.0\.1:/);
	});

	test("refuses the address for clients as the operator address, even with TLS", async () => {
		const folder = temporaryFolder();
		const database = `sqlite:${folder.path}/petstore.db`;
		const tls = makeTls(folder.path);
		const port = await freePort();
		const refused = /^Cannot listen on 127\.0\.0\.1:\d+: the port is in use/;
		for (const own of [host, "0.0.0.0"]) {
			const address = { host: own, port, tls };
			const operatorAddress = { host, port, tls };
			const options = { database, address, operatorAddress };
			await expect(openPetstore(options)).rejects.toThrow(refused);
		}
		expect(existsSync(`${folder.path}/petstore.db`)).toBe(false);
		folder.remove();
	});
});
