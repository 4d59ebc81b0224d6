// A loop over the changes survives cut streams, and ends with an error that no retry can fix.
import { describe, expect, test } from "bun:test";
import type { Change, Client, ClientOptions } from "../../src/client/client.ts";
import {
	type Answer,
	cut,
	reply,
	silence,
} from "../harness/scripted-server.ts";
import { answering, errorBody, failure, pet, petText } from "./scripted.ts";

const head =
	"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nConnection: close\r\n\r\n";

/** Closes the connection after the last event. */
function events(...texts: readonly string[]): Answer {
	return { text: `${head}: \n\n${texts.join("")}` };
}

function added(position: bigint | number): string {
	return `id: ${position}\nevent: added\ndata: {"position":${position},"kind":"added","petId":1,"pet":${petText}}\n\n`;
}

function removed(position: number): string {
	return `id: ${position}\nevent: removed\ndata: {"position":${position},"kind":"removed","petId":1}\n\n`;
}

async function take(
	store: Client,
	count: number,
	after?: bigint,
): Promise<Change[]> {
	const found: Change[] = [];
	for await (const change of store.changes({ after })) {
		found.push(change);
		if (found.length === count) break;
	}
	return found;
}

describe("Client: changes", () => {
	test("reopens a cut stream after the last change", async () => {
		const { store, server } = await answering([
			events(added(5), added(7)),
			cut,
			reply(503, errorBody(503)),
			reply(429, errorBody(429)),
			events(added(8).slice(0, 20)),
			events(removed(9)),
		]);
		expect(await take(store, 3, 4n)).toEqual([
			{ position: 5n, kind: "added", petId: 1n, pet },
			{ position: 7n, kind: "added", petId: 1n, pet },
			{ position: 9n, kind: "removed", petId: 1n },
		]);
		const asked = server.requests.map(
			(request) => /^GET (\S+)/.exec(request)?.[1],
		);
		expect(asked).toEqual([
			"/operator/v1/changes?after=4",
			...Array(5).fill("/operator/v1/changes?after=7"),
		]);
		expect(server.requests[0]).toMatch(/^accept: text\/event-stream\r$/im);
	});

	test.each([
		[401, "a_code"],
		[403, "a_code"],
		[410, "a_code"],
		[404, "a_code"],
	])("ends the loop with the error of a %d", async (status, code) => {
		const { store, server } = await answering([
			events(added(1)),
			reply(status, errorBody(status)),
		]);
		const error = await failure(take(store, 2));
		expect([error.status, error.code]).toEqual([status, code]);
		expect(server.requests).toHaveLength(2);
	});

	test("keeps all digits of a position above int64", async () => {
		const position = 2n ** 63n + 2n ** 52n + 1n;
		const { store } = await answering([events(added(position))]);
		expect((await take(store, 1))[0]?.position).toBe(position);
	});
});

test("lets the caller's fetch add headers", async () => {
	const options: Partial<ClientOptions> = {
		async fetch(url, init = {}) {
			if (init.headers instanceof Headers) init.headers.set("X-Trace", "1");
			return fetch(url, init);
		},
	};
	const { store, server } = await answering([events(added(5))], options);
	await take(store, 1);
	expect(server.requests[0]).toMatch(/x-trace: 1/i);
});

test("rejects with an error if the store has no feed", async () => {
	const { store } = await answering([reply(200, "[]")]);
	const error = await failure(take(store, 1));
	expect([error.code, error.status]).toEqual(["invalid_reply", 200]);
});

test.each([
	["id: 1\ndata: {}\n\n"],
	["data: 1\nid: 1\n\n"],
	[`id: x\ndata: {"kind":"removed","petId":1}\n\n`],
	[`id: 1\ndata: {"kind":"sold","petId":1}\n\n`],
	[`id: 1\ndata: {"kind":"added","petId":1}\n\n`],
	[`id: 1\ndata: not JSON\n\n`],
])("rejects an event that is no change: %j", async (text) => {
	const { store } = await answering([events(text)]);
	expect((await failure(take(store, 1))).code).toBe("invalid_reply");
});

test("retries if the store does not answer", async () => {
	const { store } = await answering([silence, events(added(3))], {
		timeout: 50,
	});
	expect((await take(store, 1))[0]?.position).toBe(3n);
});

test("throws a TypeError if after is not a bigint", async () => {
	const { store } = await answering([cut]);
	const options = JSON.parse('{"after":1}');
	const loop = store.changes(options)[Symbol.asyncIterator]();
	await expect(loop.next()).rejects.toThrow(TypeError);
});
