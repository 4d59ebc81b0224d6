// Draining: each reply ends its connection, and the service cuts no request short.
import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { type Connection, open } from "../harness/connection.ts";
import { connect, request } from "../harness/raw.ts";
import { openService, type Service } from "../service.ts";

const health = request("GET /healthz", []);
const closing = /\r\nconnection: close\r\n/i;

describe("Draining", () => {
	let service: Service;
	let authorization: string;
	beforeEach(async () => {
		service = await openService("over a socket");
		authorization = `Authorization: Bearer ${await service.makeKey()}`;
	});
	afterEach(() => service.close());

	/** An open connection after its first reply. */
	const openUsed = async (): Promise<Connection> => {
		const connection = await open(service.url);
		expect(await connection.send(health)).not.toMatch(closing);
		return connection;
	};

	test("sends Connection: close with every reply, even to HEAD and OPTIONS and with an error", async () => {
		const body = '{"name":"Rex","categoryId":1}';
		const requests = [
			health,
			request("GET /v1/pets", []),
			request("HEAD /v1/pets", [authorization]),
			request("GET /v1/pets/1", [authorization]),
			request("OPTIONS /v1/pets", []),
			request(
				"POST /v1/pets",
				[authorization, `Content-Length: ${body.length}`],
				body,
			),
		];
		const stopped = service.stop(1_500);
		const replies = await Promise.all(
			requests.map((text) => readToEnd(service.url, text)),
		);
		for (const [index, text] of requests.entries())
			expect([text, replies[index]]).toEqual([
				text,
				expect.stringMatching(closing),
			]);
		await stopped;
	});

	test("keeps an idle connection open until its next reply", async () => {
		const [first, second] = [await openUsed(), await openUsed()];
		const stopped = service.stop(1_500);
		expect(await first.send(health)).toMatch(closing);
		await Bun.sleep(500);
		expect(second.isOpen()).toBe(true);
		expect(await second.send(health)).toMatch(closing);
		expect(second.isOpen()).toBe(false);
		await stopped;
	});

	test.each([0, 500])(
		"answers a request from before the signal with Connection: close, with %d ms to drain",
		async (drainMs) => {
			const connection = await openUsed();
			const body = '{"name":"Rex","categoryId":1}';
			const head = request("POST /v1/pets", [
				authorization,
				`Content-Length: ${body.length}`,
			]);
			const reply = connection.send(head + body.slice(0, 5));
			await Bun.sleep(100);
			const stopped = service.stop(drainMs);
			await Bun.sleep(100);
			connection.sendMore(body.slice(5));
			expect(await reply).toMatch(/^HTTP\/1\.1 201 /);
			expect(await reply).toMatch(closing);
			await stopped;
		},
	);
});

/** Sends a request, and returns everything that arrives until the service ends the connection. */
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
