// Listening at an address in use, and renewing the certificate at the same address.
import { expect, test } from "bun:test";
import { makeCertificate } from "../../harness/certificate.ts";
import { temporaryFolder } from "../../harness/temporary.ts";
import { findFreeAddresses, listen } from "../../src/http/server/server.ts";
import { readTls, type Tls } from "../../src/http/server/tls.ts";

const app = () => new Response();
const host = "127.0.0.1";

test("refuses a second listener, even one that would share the port, and the first goes on", async () => {
	const first = listen(app, { host, port: 0 });
	const port = Number(new URL(first.url).port);
	const refused = /^Cannot listen on 127\.0\.0\.1:\d+: the port is in use/;
	expect(() => findFreeAddresses({ host, port })).toThrow(refused);
	expect(() => listen(app, { host, port })).toThrow(refused);
	expect(() => listen(app, { host, port, reusePort: true })).toThrow(refused);
	for (let count = 0; count < 8; count++)
		expect((await fetch(first.url, { keepalive: false })).status).toBe(200);
	await first.stop({ drainMs: 0 });
	await expect(fetch(first.url, { keepalive: false })).rejects.toThrow();
});

test("shares a port between listeners that allow it", async () => {
	const first = listen(app, { host, port: 0, reusePort: true });
	const port = Number(new URL(first.url).port);
	const second = listen(app, { host, port, reusePort: true });
	expect(second.url).toBe(first.url);
	await Promise.all([first.stop({ drainMs: 0 }), second.stop({ drainMs: 0 })]);
});

test.each([true, false])(
	"uses a renewed certificate at the same address, and answers a request under way (listeners share a port: %p)",
	async (canShare) => {
		const files = temporaryFolder();
		const [old, renewed] = ["old", "renewed"].map((name) => {
			const { certificate, key } = makeCertificate(files.path, name);
			return readTls(certificate, key);
		});
		const held = Promise.withResolvers<Response>();
		const answer = (request: Request) =>
			request.url.endsWith("/held") ? held.promise : app();
		const server = listen(answer, { host, port: 0, tls: old }, { canShare });
		const call = (tls: Tls | undefined, path = "/") =>
			fetch(server.url + path, {
				...(tls && { tls: { ca: tls.cert } }),
				keepalive: false,
			});
		const underWay = call(old, "/held");
		expect((await call(old)).status).toBe(200);
		if (renewed !== undefined) server.renewTls(renewed);
		const isRenewed = () =>
			call(renewed).then(
				() => true,
				() => false,
			);
		while (!(await isRenewed())) await Bun.sleep(1);
		// If two listeners share the port, the old one goes on for a while.
		if (!canShare) await expect(call(old)).rejects.toThrow(/certificate/);
		held.resolve(new Response("late"));
		expect(await (await underWay).text()).toBe("late");
		await server.stop({ drainMs: 0 });
		files.remove();
	},
);

test.each([true, false])(
	"keeps the old certificate if the new one is invalid (listeners share a port: %p)",
	async (canShare) => {
		const files = temporaryFolder();
		const { certificate, key } = makeCertificate(files.path, "old");
		const tls = readTls(certificate, key);
		const server = listen(app, { host, port: 0, tls }, { canShare });
		expect(() => server.renewTls({ ...tls, cert: "no certificate" })).toThrow();
		const reply = await fetch(server.url, { tls: { ca: tls.cert } });
		expect(reply.status).toBe(200);
		await server.stop({ drainMs: 0 });
		files.remove();
	},
);
