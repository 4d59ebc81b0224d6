// Listening at an address in use, and renewing the certificate at the same address.
import { expect, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { listen, requireFree } from "../../src/http/server/server.ts";
import { readTls, type Tls } from "../../src/http/server/tls.ts";
import { makeCertificate } from "../harness/certificate.ts";
import { temporaryFolder } from "../harness/temporary.ts";

const app = () => new Response();
const host = "127.0.0.1";
const lostHost = "10.9.9.9";

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
		server,
		old,
		renewed,
		held,
		call: ({ cert }: Tls, path = "/") =>
			fetch(server.url + path, { tls: { ca: cert }, keepalive: false }),
		async stop() {
			await server.stop(0);
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

test("refuses a certificate that cannot be used at once, and keeps the listener with the old one", async () => {
	const { server, old, held, call, stop } = listenWithTls();
	const underWay = call(old, "/held");
	const begun = performance.now();
	const renewing = server.renewTls({ ...old, cert: "no certificate" });
	await expect(renewing).rejects.toThrow();
	expect(performance.now() - begun).toBeLessThan(1_000);
	expect((await call(old)).status).toBe(200);
	held.resolve(new Response("late"));
	expect(await (await underWay).text()).toBe("late");
	await stop();
});

test("takes a newer certificate during a renewal, without another wait", async () => {
	const { server, old, renewed, call, stop } = listenWithTls();
	const first = server.renewTls({ ...old }, 300);
	const second = server.renewTls(renewed, 60_000);
	await first;
	expect((await call(renewed)).status).toBe(200);
	await second;
	await stop();
});

// Only root of a network namespace can take an address away.
const takeAddress = `ip link set lo up && ip address add ${lostHost}/32 dev lo`;
const inNamespace = ["unshare", "-rn", "sh", "-c"];
const canTakeAddress = Bun.spawnSync([...inNamespace, takeAddress]).success;
if (!canTakeAddress)
	console.log(
		"not run: a renewal without the address, since unshare cannot make a network namespace with an address here",
	);
test.if(canTakeAddress)(
	"the listener stays open if the machine does not have its address when the certificate is renewed",
	() => {
		const files = temporaryFolder();
		const { certificate, key } = makeCertificate(files.path, "own");
		const script = `
			import { spawnSync } from "node:child_process";
			import { listen } from "${import.meta.dir}/../../src/http/server/server.ts";
			import { readTls } from "${import.meta.dir}/../../src/http/server/tls.ts";
			const address = (change) => spawnSync("ip", ["address", change, "${lostHost}/32", "dev", "lo"]);
			const tls = readTls("${certificate}", "${key}");
			const server = listen(() => new Response("open"), { host: "${lostHost}", port: 0, tls });
			const url = "https://${lostHost}:" + new URL(server.url).port;
			address("delete");
			await server.renewTls(tls.readAgain(), 10).catch(({ message }) => console.log(message));
			address("add");
			console.log(await (await fetch(url, { tls: { rejectUnauthorized: false } })).text());
			process.exit();`;
		writeFileSync(`${files.path}/renew.ts`, script);
		const command = `${takeAddress} && "${process.execPath}" ${files.path}/renew.ts`;
		const { stdout, stderr } = Bun.spawnSync([...inNamespace, command]);
		expect([String(stdout), String(stderr)]).toEqual([
			expect.stringMatching(/does not have this address.*\nopen\n$/),
			"",
		]);
		files.remove();
	},
);
