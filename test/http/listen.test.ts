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

/** Two certificates for one server, which answers `/held` only when the test resolves it. */
function listenWithTls() {
	const files = temporaryFolder();
	const [old, renewed] = ["old", "renewed"].map((name) => {
		const { certificate, key } = makeCertificate(files.path, name);
		return readTls(certificate, key);
	}) as [Tls, Tls];
	const held = Promise.withResolvers<Response>();
	const answer = (request: Request) =>
		request.url.endsWith("/held") ? held.promise : app();
	const server = listen(answer, { host, port: 0, tls: old });
	return {
		...{ server, old, renewed, held },
		call: ({ cert }: Tls, path = "/") =>
			fetch(server.url + path, { tls: { ca: cert }, keepalive: false }),
		async stop() {
			await server.stop({ drainMs: 0 });
			files.remove();
		},
	};
}

test("shares no port of a service with TLS, before and after its certificate is renewed", async () => {
	const { server, renewed, stop } = listenWithTls();
	const port = Number(new URL(server.url).port);
	const join = () => listen(app, { host, port, reusePort: true });
	expect(join).toThrow(/the port is in use/);
	await server.renewTls(renewed, 10);
	expect(join).toThrow(/the port is in use/);
	await stop();
});

test("serves a renewed certificate at the same address once old connections had time to end, and answers a request under way", async () => {
	const { server, old, renewed, held, call, stop } = listenWithTls();
	const underWay = call(old, "/held");
	const renewing = server.renewTls(renewed, 300);
	expect((await call(old)).status).toBe(200);
	while (
		await call(renewed).then(
			() => false,
			() => true,
		)
	)
		await Bun.sleep(1);
	await expect(call(old)).rejects.toThrow(/certificate/);
	held.resolve(new Response("late"));
	expect(await (await underWay).text()).toBe("late");
	await renewing;
	await stop();
});

test("keeps the old certificate if the renewed one cannot be used", async () => {
	const { server, old, call, stop } = listenWithTls();
	const renewing = server.renewTls({ ...old, cert: "no certificate" }, 10);
	await expect(renewing).rejects.toThrow();
	expect((await call(old)).status).toBe(200);
	await stop();
});
