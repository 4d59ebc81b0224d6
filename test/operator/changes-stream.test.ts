// Streams of the feed: how server-sent events begin, go on and end.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { maxStreams, openStream } from "../../src/api/operator/feed/streams.ts";
import { createReplyMemory } from "../../src/http/reply-memory.ts";
import { maxStreamsOfKey } from "../../src/limits.ts";
import { makeKey } from "../harness/key.ts";
import { add, expectError, openService, type Service } from "../service.ts";
import { cookieOf, openQuietly, ownPage, sessionsPath } from "./calls.ts";

const path = "/operator/v1/changes";
const rex = '{"name":"Rex","categoryId":1}';

interface Event {
	readonly id: string;
	readonly event: string;
	readonly data: string;
}

/** A stream as a client sees it. */
class Events {
	readonly response: Response;
	readonly #controller: AbortController;
	readonly #reader: ReadableStreamDefaultReader<Uint8Array>;
	readonly #decoder = new TextDecoder();
	#text = "";

	constructor(response: Response, controller: AbortController) {
		if (response.body === null) throw new Error("There is no body.");
		this.response = response;
		this.#controller = controller;
		this.#reader = response.body.getReader();
	}

	/** The next block of lines; undefined at the end. */
	async next(): Promise<string | undefined> {
		for (;;) {
			const end = this.#text.indexOf("\n\n");
			if (end >= 0) {
				const block = this.#text.slice(0, end);
				this.#text = this.#text.slice(end + 2);
				return block;
			}
			const { value, done } = await this.#reader.read();
			if (done) return undefined;
			this.#text += this.#decoder.decode(value, { stream: true });
		}
	}

	async nextEvent(): Promise<Event> {
		for (;;) {
			const block = await this.next();
			if (block === undefined) throw new Error("The stream has ended.");
			if (block.startsWith(":")) continue;
			const [, id = "", event = "", data = ""] =
				/^id: (.*)\nevent: (.*)\ndata: (.*)$/.exec(block) ?? [];
			return { id, event, data };
		}
	}

	async end(): Promise<void> {
		while ((await this.next()) !== undefined);
	}

	close(): void {
		this.#controller.abort();
	}
}

async function openEvents(
	url: string,
	headers: Record<string, string>,
	query = "",
): Promise<Events> {
	const controller = new AbortController();
	const response = await fetch(`${url}${path}${query}`, {
		headers: { Accept: "text/event-stream", ...headers },
		signal: controller.signal,
	});
	return new Events(response, controller);
}

describe.each(["sqlite", "postgres"] as const)("%s", (engine) => {
	let service: Service;
	let key: { Authorization: string };
	beforeAll(async () => {
		service = await openService("over a socket", { engine });
		key = {
			Authorization: `Bearer ${await service.makeKey({ scope: "read" })}`,
		};
	}, 30_000);
	afterAll(() => service.close());
	const open = (query = "", headers = {}) =>
		openEvents(service.url, { ...key, ...headers }, query);
	const addRex = async (): Promise<string> =>
		JSON.parse(await add(service, rex)).id;
	const lastPosition = async (): Promise<string> =>
		String((await (await service.call(`${path}?limit=1000`)).json()).next);

	describe("Changes feed: live", () => {
		test("sends the entries of the feed first, then each animal added, changed or removed", async () => {
			const after = await lastPosition();
			const id = await addRex();
			const events = await open(`?after=${after}`);
			const { response } = events;
			expect(response.status).toBe(200);
			expect(response.headers.get("Content-Type")).toBe("text/event-stream");
			expect(response.headers.has("Access-Control-Allow-Origin")).toBe(false);
			const first = await events.nextEvent();
			expect(first.event).toBe("added");
			const shown = await service.call(`/operator/v1/pets/${id}`);
			const pet = await shown.text();
			expect(first.data).toBe(
				`{"position":${first.id},"kind":"added","petId":${id},"pet":${pet}}`,
			);
			const one = `/operator/v1/pets/${id}`;
			await service.call(one, { method: "PATCH", body: '{"name":"a\\nb"}' });
			const second = await events.nextEvent();
			expect([second.event, JSON.parse(second.data).pet.name]).toEqual([
				"changed",
				"a\nb",
			]);
			await service.call(one, { method: "DELETE" });
			const third = await events.nextEvent();
			expect([third.event, third.data]).toEqual([
				"removed",
				`{"position":${third.id},"kind":"removed","petId":${id}}`,
			]);
			events.close();
		});

		test("prefers Last-Event-ID to after, and refuses one that is no position of this database", async () => {
			await addRex();
			const after = await lastPosition();
			const id = await addRex();
			const events = await open("?after=0", { "Last-Event-ID": after });
			expect((await events.nextEvent()).data).toContain(`"petId":${id},`);
			events.close();
			for (const [value, code, message] of [
				["x", "invalid_parameter", /^Last-Event-ID must be/],
				["1", "gone", /^Last-Event-ID is a position of another database/],
			] as const) {
				const headers = { Accept: "text/event-stream", "Last-Event-ID": value };
				await expectError(await service.call(path, { headers }), code, message);
			}
		});
	});

	test("ends the stream of a revoked key within 5 s, and keeps another one", async () => {
		const { key: text, record } = makeKey({ scope: "read" });
		const { id } = await service.store.keys.add(record);
		const own = await openEvents(service.url, {
			Authorization: `Bearer ${text}`,
		});
		const other = await open(`?after=${await lastPosition()}`);
		await own.next();
		await service.store.keys.revoke(id, Date.now());
		const revokedAt = performance.now();
		await own.end();
		expect(performance.now() - revokedAt).toBeLessThan(5_000);
		await addRex();
		expect((await other.nextEvent()).event).toBe("added");
		other.close();
	});
});

describe("a service on SQLite", () => {
	let service: Service;
	let key: { Authorization: string };
	beforeAll(async () => {
		service = await openService("over a socket");
		key = { Authorization: `Bearer ${await service.makeKey()}` };
	});
	afterAll(() => service.close());

	test.each([
		["text/event-stream", "text/event-stream"],
		["text/event-stream, application/json;q=0.5", "text/event-stream"],
		["text/event-stream;q=0.5, */*", "application/json"],
		["text/event-stream, */*", "application/json"],
		["*/*", "application/json"],
		["text/*", "text/event-stream"],
		["application/json", "application/json"],
	])("answers Accept: %s with %s", async (accept, mediaType) => {
		const events = await openEvents(service.url, { ...key, Accept: accept });
		expect(events.response.headers.get("Content-Type")).toBe(mediaType);
		events.close();
	});

	test("opens no stream for HEAD", async () => {
		const headers = { ...key, Accept: "text/event-stream" };
		for (let n = 0; n <= maxStreams; n++) {
			const response = await fetch(service.url + path, {
				method: "HEAD",
				headers,
			});
			expect(response.status).toBe(200);
		}
	});

	test("ends the stream of a session with the session", async () => {
		const operatorKey = await service.makeKey({ scope: "operator" });
		const origin = { Host: new URL(service.url).host, ...ownPage };
		const signedIn = await fetch(service.url + sessionsPath, {
			method: "POST",
			headers: { ...origin, "Content-Type": "application/json" },
			body: JSON.stringify({ key: operatorKey }),
		});
		const cookie = cookieOf(signedIn);
		const events = await openEvents(service.url, cookie);
		await events.next();
		await fetch(`${service.url}${sessionsPath}/current`, {
			method: "DELETE",
			headers: { ...origin, ...cookie },
		});
		await events.end();
	});

	describe("Changes feed: limits", () => {
		test("limits the streams of a key and of the service, and makes room when one closes", async () => {
			// Without sockets: fetch opens 256 at most.
			const own = await openService("in process");
			const openOne = (key: string) =>
				own.send(
					new Request(own.url + path, {
						headers: {
							Accept: "text/event-stream",
							Authorization: `Bearer ${key}`,
						},
					}),
				);
			const fill = async (key: string) => {
				const opened: Response[] = [];
				for (let n = 0; n < maxStreamsOfKey; n++)
					opened.push(await openOne(key));
				expect(opened.map(({ status }) => status)).toEqual(
					opened.map(() => 200),
				);
				return opened;
			};
			const first = await own.makeKey();
			const [one] = await fill(first);
			await expectError(
				await openOne(first),
				"unavailable",
				/^This API key has 32 open streams, which is its maximum/,
			);
			for (let open = maxStreamsOfKey; open < maxStreams; )
				open += (await fill(await own.makeKey())).length;
			const another = await own.makeKey();
			await expectError(
				await openOne(another),
				"unavailable",
				/256 open streams/,
			);
			// The service still answers pages.
			expect((await own.call(path)).status).toBe(200);
			await one?.body?.cancel();
			expect((await openOne(first)).status).toBe(200);
			await expectError(await openOne(first), "unavailable", /32 open streams/);
			await own.close();
		});

		test("disconnects a client that does not read, and reads no more entries for it", async () => {
			let reads = 0;
			let isEnded = false;
			const pet = {
				id: 1n,
				name: "x",
				categoryId: 1n,
				status: "sold",
				version: 1n,
				addedAt: null,
				addedBy: null,
			} as const;
			const stream = openStream(
				0n,
				async (after) => {
					reads++;
					const entry = { position: after + 1n, kind: "added", petId: 1n, pet };
					return {
						entries: [{ ...entry, kind: "added" }],
						next: after + 1n,
						more: true,
					};
				},
				createReplyMemory().open("key"),
				() => {
					isEnded = true;
				},
				{ slowMs: 30 },
			);
			const reader = stream.body.getReader();
			await reader.read();
			await reader.read();
			await waitFor(async () => {
				stream.tick(undefined);
				return isEnded;
			});
			expect(reads).toBeLessThan(5);
			await expect(
				(async () => {
					for (;;) if ((await reader.read()).done) return;
				})(),
			).rejects.toThrow("too slowly");
		});

		test("sends comments on a quiet stream", async () => {
			const quiet = async (after: bigint) => ({
				entries: [],
				next: after,
				more: false,
			});
			const stream = openStream(
				0n,
				quiet,
				createReplyMemory().open("key"),
				() => {},
				{ commentMs: 20 },
			);
			const reader = stream.body.getReader();
			const timer = setInterval(() => stream.tick(0n), 5);
			for (let n = 0; n < 3; n++) {
				const { value } = await reader.read();
				expect(new TextDecoder().decode(value)).toBe(": \n\n");
			}
			clearInterval(timer);
			stream.end();
			expect((await reader.read()).done).toBe(true);
		});
	});

	test("counts a stream once, when it begins", async () => {
		const own = await openService("over a socket");
		const events = await openEvents(own.url, {
			Authorization: `Bearer ${await own.makeKey()}`,
		});
		await events.next();
		const usage = await own.call("/operator/v1/usage?by=operation");
		expect((await usage.json()).rows).toContainEqual(
			expect.objectContaining({ operation: "listChanges", requests: 1 }),
		);
		events.close();
		await own.close();
	});

	test("ends the streams when it stops, and stops without delay", async () => {
		const own = await openService("over a socket");
		const headers = { Authorization: `Bearer ${await own.makeKey()}` };
		const events = await openEvents(own.url, headers);
		await events.next();
		const startedAt = performance.now();
		await own.close();
		expect(performance.now() - startedAt).toBeLessThan(5_000);
		await events.end();
	});
});

test("ends the streams of a sandbox at a reset, and answers 410 to their position", async () => {
	const petstore = await openQuietly({
		database: "sqlite::memory:",
		sandbox: { pets: 3, seed: 1 },
	});
	const key = { Authorization: "Bearer sandbox" };
	const events = await openEvents(petstore.url, key);
	const { id } = await events.nextEvent();
	await fetch(`${petstore.url}/sandbox/reset`, { method: "POST" });
	await events.end();
	const again = await fetch(`${petstore.url}${path}?after=${id}`, {
		headers: key,
	});
	await expectError(again, "gone");
	await petstore.stop();
});

async function waitFor(check: () => Promise<boolean>): Promise<void> {
	const deadline = performance.now() + 10_000;
	while (!(await check())) {
		if (performance.now() > deadline) throw new Error("It never happened.");
		await Bun.sleep(10);
	}
}
