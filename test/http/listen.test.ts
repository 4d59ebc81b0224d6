// Listening at an address that is in use: every listener has SO_REUSEPORT, so the service itself must refuse to share.
import { expect, test } from "bun:test";
import { findFreeAddress, listen } from "../../src/http/server.ts";

const app = () => new Response();
const host = "127.0.0.1";

test("a second listener is refused before and after it listens, and the first goes on", async () => {
	const first = listen(app, { host, port: 0 });
	const port = Number(new URL(first.url).port);
	const refused = /^Cannot listen on 127\.0\.0\.1:\d+: another process does/;
	expect(() => findFreeAddress({ host, port })).toThrow(refused);
	expect(() => listen(app, { host, port })).toThrow(refused);
	for (let count = 0; count < 8; count++)
		expect((await fetch(first.url, { keepalive: false })).status).toBe(200);
	await first.stop({ drainMs: 0 });
});

test("a listener that may share its port does", async () => {
	const first = listen(app, { host, port: 0, reusePort: true });
	const port = Number(new URL(first.url).port);
	const second = listen(app, { host, port, reusePort: true });
	expect(second.url).toBe(first.url);
	await Promise.all([first.stop({ drainMs: 0 }), second.stop({ drainMs: 0 })]);
});
