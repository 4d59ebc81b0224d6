// Listening at an address that is in use: on Linux every listener has SO_REUSEPORT, so the service itself must refuse to share.
import { describe, expect, test } from "bun:test";
import { makeCertificate } from "../../harness/certificate.ts";
import { temporaryFolder } from "../../harness/temporary.ts";
import type { Address } from "../../src/http/address.ts";
import {
	countListeners,
	knowsSockets,
	socketDescriptors,
} from "../../src/http/listening/descriptors.ts";
import { findFreeAddress, listen } from "../../src/http/server.ts";
import { readTls, type Tls } from "../../src/http/tls.ts";

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

describe("without /proc, as on macOS and Windows", () => {
	const none = "/no-such-folder";
	const listenAlone = (address: Address) => listen(app, address, none);

	test("a listener answers, a second one is refused, and a stop ends it", async () => {
		const first = listenAlone({ host, port: 0 });
		const port = Number(new URL(first.url).port);
		expect((await fetch(first.url)).status).toBe(200);
		const refused = /^Cannot listen on 127\.0\.0\.1:\d+: another process does/;
		expect(() => listenAlone({ host, port })).toThrow(refused);
		// It would share the port if the first one allowed it.
		expect(() => listen(app, { host, port, reusePort: true })).toThrow(refused);
		await first.stop({ drainMs: 10 });
		await expect(fetch(first.url, { keepalive: false })).rejects.toThrow();
	});

	test("a renewed certificate is used at the same address, and a request under way is answered", async () => {
		const files = temporaryFolder();
		const [old, renewed] = ["old", "renewed"].map((name) => {
			const { certificate, key } = makeCertificate(files.path, name);
			return readTls(certificate, key);
		});
		const held = Promise.withResolvers<Response>();
		const answer = (request: Request) =>
			request.url.endsWith("/held") ? held.promise : app();
		const server = listen(answer, { host, port: 0, tls: old }, none);
		const call = (tls: Tls | undefined, path = "/") =>
			fetch(server.url + path, {
				...(tls && { tls: { ca: tls.cert } }),
				keepalive: false,
			});
		const underWay = call(old, "/held");
		expect((await call(old)).status).toBe(200);
		if (renewed !== undefined) server.renewTls(renewed);
		expect((await call(renewed)).status).toBe(200);
		await expect(call(old)).rejects.toThrow(/certificate/);
		held.resolve(new Response("late"));
		expect(await (await underWay).text()).toBe("late");
		await server.stop({ drainMs: 0 });
		files.remove();
	});

	test("a certificate that cannot be used leaves the old one in use", async () => {
		const files = temporaryFolder();
		const { certificate, key } = makeCertificate(files.path, "old");
		const tls = readTls(certificate, key);
		const server = listenAlone({ host, port: 0, tls });
		expect(() => server.renewTls({ ...tls, cert: "no certificate" })).toThrow();
		const reply = await fetch(server.url, { tls: { ca: tls.cert } });
		expect(reply.status).toBe(200);
		await server.stop({ drainMs: 0 });
		files.remove();
	});

	test("no socket is known", () => {
		expect(knowsSockets(none)).toBe(false);
		expect(socketDescriptors(none)).toEqual([]);
		expect(countListeners(0, none)).toBe(0);
	});
});
