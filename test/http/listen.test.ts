// Listening at an address in use, and sharing a port.
import { expect, test } from "bun:test";
import { listen, requireFree } from "../../src/http/server.ts";

const app = () => new Response();
const host = "127.0.0.1";

test("refuses a second listener, even one that would share the port, and the first goes on", async () => {
	const first = listen(app, { host, port: 0 });
	const port = Number(new URL(first.url).port);
	const refused = /^Cannot listen on 127\.0\.0\.1:\d+: the port is in use/;
	expect(() => requireFree({ host, port })).toThrow(refused);
	expect(() => listen(app, { host, port })).toThrow(refused);
	expect(() => listen(app, { host, port, reusePort: true })).toThrow(refused);
	for (let count = 0; count < 8; count++)
		expect((await fetch(first.url, { keepalive: false })).status).toBe(200);
	await first.stop(0);
	await expect(fetch(first.url, { keepalive: false })).rejects.toThrow();
});

test("writes an IPv6 address in brackets in a message", () => {
	// An address for documentation (RFC 3849), which no machine has.
	expect(() => requireFree({ host: "2001:db8::1", port: 80 })).toThrow(
		/^Cannot listen on \[2001:db8::1\]:80: /,
	);
});

test("shares a port between listeners that allow it", async () => {
	const first = listen(app, { host, port: 0, reusePort: true });
	const port = Number(new URL(first.url).port);
	const second = listen(app, { host, port, reusePort: true });
	expect(second.url).toBe(first.url);
	await Promise.all([first.stop(0), second.stop(0)]);
});
