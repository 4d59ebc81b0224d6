// Listening at an address in use.
import { expect, test } from "bun:test";
import { type Address, isLoopback } from "../../src/http/address.ts";
import { listen } from "../../src/http/server.ts";

/** A server that answers. */
function open(address: Address) {
	const server = listen(address);
	server.serve({ answer: () => new Response(), parts: new Set() });
	return server;
}

const host = "127.0.0.1";

test("refuses a second listener, even one that would share the port, and the first goes on", async () => {
	const first = open({ host, port: 0 });
	const port = Number(new URL(first.url).port);
	const refused = /^Cannot listen on 127\.0\.0\.1:\d+: the port is in use/;
	expect(() => open({ host, port })).toThrow(refused);
	expect(() => open({ host, port, reusePort: true })).toThrow(refused);
	for (let count = 0; count < 8; count++)
		expect((await fetch(first.url, { keepalive: false })).status).toBe(200);
	await first.stop(0);
	await expect(fetch(first.url, { keepalive: false })).rejects.toThrow();
});

test.each(["0.0.0.0", "::"])(
	"listens on %s, and shows a URL that answers on this machine",
	async (host) => {
		const server = open({ host, port: 0 });
		expect((await fetch(server.url, { keepalive: false })).status).toBe(200);
		await server.stop(0);
	},
);

test("answers 503 until it serves an app", async () => {
	const server = listen({ host, port: 0 });
	const early = await fetch(server.url);
	expect([early.status, early.headers.get("Retry-After")]).toEqual([503, "1"]);
	expect(await early.json()).toMatchObject({ code: "unavailable" });
	server.serve({ answer: () => new Response(), parts: new Set() });
	expect((await fetch(server.url)).status).toBe(200);
	await server.stop(0);
});

test.each([
	["127.8.8.8", true],
	["LocalHost", true],
	["[::1]", true],
	["0.0.0.0", false],
	["localhost.example", false],
])("takes %s for a loopback address: %j", (host, expected) => {
	expect(isLoopback(host)).toBe(expected);
});
