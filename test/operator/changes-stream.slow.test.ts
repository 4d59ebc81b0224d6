// Streams of the feed over real sockets, for longer than the timeouts of the service.
import { expect, test } from "bun:test";
import { connect } from "node:net";
import { slowStreamMs } from "../../src/api/operator/feed/streams.ts";
import { idleMs } from "../../src/limits.ts";
import { makeKey } from "../harness/key.ts";
import { startProxy } from "../harness/postgres/proxy.ts";
import { createDatabase } from "../harness/postgres/server.ts";
import { add, openService, startMs } from "../service.ts";
import { openQuietly } from "./calls.ts";

const path = "/operator/v1/changes";
const rex = { name: "Rex", categoryId: 1n, status: "available" } as const;

test(
	"sends bytes on a quiet stream before the idle timeout, and keeps it open",
	async () => {
		const service = await openService("over a socket");
		const text = await follow(service.url, await service.makeKey());
		const deadline = performance.now() + idleMs + 5_000;
		while (performance.now() < deadline) {
			const before = text.length();
			const quietSince = performance.now();
			while (text.length() === before) {
				// Less than the idle timeout. A busy processor delays the comment.
				expect(performance.now() - quietSince).toBeLessThan(8_000);
				await Bun.sleep(10);
			}
		}
		await add(service, '{"name":"Rex","categoryId":1}');
		await text.has("Rex");
		await service.close();
	},
	idleMs + 20_000,
);

test(
	"disconnects a client that stops reading, and uses little memory until then",
	async () => {
		const service = await openService("over a socket");
		const name = "x".repeat(60_000);
		const adds = Array.from({ length: 1_000 }, () =>
			service.store.catalogue.addPet({ pet: { ...rex, name } }),
		);
		await Promise.all(adds);
		const before = process.memoryUsage.rss();
		const { hostname, port } = new URL(service.url);
		const socket = connect(Number(port), hostname);
		const key = await service.makeKey();
		socket.write(
			`GET ${path} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${key}\r\nAccept: text/event-stream\r\n\r\n`,
		);
		socket.pause();
		await Bun.sleep(slowStreamMs + idleMs + 5_000);
		expect(process.memoryUsage.rss() - before).toBeLessThan(20 * 1024 * 1024);
		let received = 0;
		const closed = new Promise((resolve) => {
			socket.on("close", resolve).on("error", () => {});
		});
		socket.on("data", (data) => {
			received += data.length;
		});
		socket.resume();
		await closed;
		expect(received).toBeLessThan(30_000_000);
		await service.close();
	},
	slowStreamMs + idleMs + 40_000,
);

test(
	"keeps a stream while the database does not answer, and then continues it",
	async () => {
		const database = await createDatabase();
		const proxy = await startProxy(database.url);
		const petstore = await openQuietly({ database: proxy.url });
		const { key, record } = makeKey({ scope: "read" });
		await petstore.store.keys.add(record);
		const text = await follow(petstore.url, key);
		proxy.hold();
		await Bun.sleep(4_000);
		proxy.restore();
		await petstore.store.catalogue.addPet({ pet: rex });
		await text.has("Rex");
		await petstore.stop();
		proxy.close();
		await database.remove();
	},
	startMs + 30_000,
);

/** Follows a stream until the service stops. */
async function follow(url: string, key: string) {
	const response = await fetch(url + path, {
		headers: { Authorization: `Bearer ${key}`, Accept: "text/event-stream" },
	});
	let text = "";
	let isEnded = false;
	const decoder = new TextDecoder();
	(async () => {
		for await (const chunk of response.body ?? [])
			text += decoder.decode(chunk, { stream: true });
	})().then(
		() => {
			isEnded = true;
		},
		() => {
			isEnded = true;
		},
	);
	return {
		length: () => text.length,
		async has(part: string): Promise<void> {
			while (!text.includes(part)) {
				expect(isEnded).toBe(false);
				await Bun.sleep(10);
			}
		},
	};
}
