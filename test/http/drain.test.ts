// A service that drains: its replies end their connections, and no request that a client may send is cut.
import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { type Connection, open } from "../../harness/clients.ts";
import { connect, request } from "../../harness/raw.ts";
import { socketDescriptors } from "../../src/http/listening/descriptors.ts";
import { turnAway } from "../../src/http/listening/turn-away.ts";
import { decision, openService, type Service } from "../service.ts";

const health = request("GET /healthz", []);
const closing = /\r\nconnection: close\r\n/i;

describe("after the signal to stop", () => {
	let service: Service;
	let authorization: string;
	beforeEach(async () => {
		service = await openService("over a socket");
		authorization = `Authorization: Bearer ${await service.makeKey()}`;
	});
	afterEach(() => service.close());

	/** Starts to drain, and returns what ends it. */
	const drain = (): (() => Promise<void>) => {
		const hurry = new AbortController();
		const stopped = service.stop({ drainMs: 60_000, hurry: hurry.signal });
		return () => {
			hurry.abort();
			return stopped;
		};
	};

	/** A connection that has been used once, and may be used again. */
	const openUsed = async (): Promise<Connection> => {
		const connection = await open(service.url);
		expect(await connection.send(health)).not.toMatch(closing);
		return connection;
	};

	decision("Draining", () => {
		test("every reply has Connection: close, also to HEAD and OPTIONS and with an error", async () => {
			const body = '{"name":"Rex","categoryId":1}';
			const requests = [
				health,
				request("GET /readyz", []),
				request("GET /nowhere", []),
				request("GET /v1/pets", []),
				request("GET /v1/pets", [authorization]),
				request("HEAD /v1/pets", [authorization]),
				request("GET /v1/pets/1", [authorization]),
				request("OPTIONS /v1/pets", []),
				request(
					"POST /v1/pets",
					[authorization, `Content-Length: ${body.length}`],
					body,
				),
			];
			const endDraining = drain();
			const replies = await Promise.all(
				requests.map((text) => readToEnd(service.url, text)),
			);
			for (const [index, text] of requests.entries())
				expect([text, replies[index]]).toEqual([
					text,
					expect.stringMatching(closing),
				]);
			await endDraining();
		});

		test("a connection that is idle stays open until its next reply", async () => {
			const [first, second] = [await openUsed(), await openUsed()];
			const endDraining = drain();
			expect(await first.send(health)).toMatch(closing);
			await Bun.sleep(500);
			expect(second.isOpen()).toBe(true);
			expect(await second.send(health)).toMatch(closing);
			expect(second.isOpen()).toBe(false);
			await endDraining();
		});

		test.each([0, 500])(
			"a request that came before the signal is answered with Connection: close, with %d ms to drain",
			async (drainMs) => {
				const connection = await openUsed();
				const body = '{"name":"Rex","categoryId":1}';
				const head = request("POST /v1/pets", [
					authorization,
					`Content-Length: ${body.length}`,
				]);
				const reply = connection.send(head + body.slice(0, 5));
				await Bun.sleep(100);
				const stopped = service.stop({ drainMs });
				await Bun.sleep(100);
				connection.sendMore(body.slice(5));
				expect(await reply).toMatch(/^HTTP\/1\.1 201 /);
				expect(await reply).toMatch(closing);
				await stopped;
			},
		);

		test("a connection whose handshake came before the listener closes is answered", async () => {
			const connection = await open(service.url);
			const stopped = service.stop({ drainMs: 1 });
			// If the listener closed without dropping new handshakes first, it would be closed now, and the connection reset.
			await Bun.sleep(25);
			expect(await connection.send(health)).toMatch(/^HTTP\/1\.1 200 /);
			await stopped;
		});
	});

	test("no connection is accepted any more when the service has stopped", async () => {
		await service.stop({ drainMs: 10 });
		await expect(open(service.url)).rejects.toThrow();
	});
});

/** Sends a request and returns what arrives until the service, and not the client, ends the connection. */
function readToEnd(url: string, text: string): Promise<string> {
	return new Promise((resolve, reject) => {
		let received = "";
		connect(url)
			.on("data", (data) => {
				received += data.toString();
			})
			.on("end", () => resolve(received))
			.on("error", reject)
			.write(text);
	});
}

describe("turnAway", () => {
	const listen = (name: string, port = 0, hostname = "127.0.0.1") =>
		Bun.serve({
			hostname,
			port,
			reusePort: true,
			fetch: () => new Response(name),
		});
	/** Opens a listener, and returns it with the descriptor of its socket. */
	const listenWithDescriptor = (hostname?: string) => {
		const before = socketDescriptors();
		const server = listen("first", 0, hostname);
		const own = socketDescriptors().filter((one) => !before.includes(one));
		expect(own).toHaveLength(1);
		return { server, descriptor: own[0] ?? -1 };
	};

	test("clients that connect meanwhile reach the other listener, and one that has connected before is answered", async () => {
		const { server, descriptor } = listenWithDescriptor();
		const earlier = await open(server.url.href);
		const other = listen("other", server.port);
		const turnedAway = await turnAway(descriptor, { isReplaced: true });
		expect(turnedAway).toBeDefined();
		for (let count = 0; count < 20; count++) {
			const later = await open(server.url.href);
			expect(await later.send(health)).toEndWith("other");
			later.close();
		}
		expect(await earlier.send(health)).toEndWith("first");
		await server.stop(true);
		const last = await open(other.url.href);
		expect(await last.send(health)).toEndWith("other");
		await other.stop(true);
	});

	test.concurrent.each(["127.0.0.1", "0.0.0.0", "::1", "::"])(
		"without another listener on %s a client waits, and reaches one that is opened then",
		async (hostname) => {
			const { server, descriptor } = listenWithDescriptor(hostname);
			const url = `http://${hostname.includes(":") ? "[::1]" : "127.0.0.1"}:${server.port}`;
			const earlier = await open(url);
			const turnedAway = await turnAway(descriptor, { isReplaced: false });
			expect(turnedAway).toBeDefined();
			const later = open(url);
			const isConnected = later.then(() => true);
			const stillWaits = Bun.sleep(200).then(() => false);
			expect(await Promise.race([isConnected, stillWaits])).toBe(false);
			expect(await earlier.send(health)).toEndWith("first");
			const other = listen("other", server.port, hostname);
			await server.stop(true);
			turnedAway?.end();
			expect(await (await later).send(health)).toEndWith("other");
			await other.stop(true);
		},
		10_000,
	);

	test("without libc, or for a descriptor that is no socket, it says that it could not", async () => {
		const { server, descriptor } = listenWithDescriptor();
		expect(
			await turnAway(descriptor, {
				isReplaced: false,
				libcName: "no-such-libc.so",
			}),
		).toBeUndefined();
		expect(await turnAway(-1, { isReplaced: false })).toBeUndefined();
		const connection = await open(server.url.href);
		expect(await connection.send(health)).toEndWith("first");
		await server.stop(true);
	});
});
