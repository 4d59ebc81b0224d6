// Operations of the operator interface while PostgreSQL does not answer.
import { describe, expect, test } from "bun:test";
import { toPet } from "../harness/pet.ts";
import { startProxy } from "../harness/postgres/proxy.ts";
import { createDatabase } from "../harness/postgres/server.ts";
import {
	answeredMs,
	type CallOptions,
	expectError,
	openService,
} from "../service.ts";

async function openBehindProxy() {
	const database = await createDatabase();
	const proxy = await startProxy(database.url);
	const service = await openService("in process", { databaseUrl: proxy.url });
	await service.store.catalogue.addPet({ pet: toPet({}) });
	const call = (path: string, options: CallOptions = {}) =>
		service.call(`/operator/v1${path}`, options);
	// Makes the key of `call`, too.
	const tag = (await call("/pets/1")).headers.get("ETag") ?? "";
	async function close() {
		await service.close();
		proxy.close();
		await database.remove();
	}
	return { proxy, call, tag, close };
}

describe("Without PostgreSQL", () => {
	test("answers 503 when a reply was lost, with Retry-After only if the request may be repeated", async () => {
		const { proxy, call, close } = await openBehindProxy();
		for (const [method, path, body, statement, retryAfter] of [
			["POST", "/keys", '{"name":"lost key"}', "lost key", null],
			["PATCH", "/pets/1", '{"name":"x"}', "INTO pets", "1"],
			["DELETE", "/pets/1", undefined, "DELETE FROM pets", "1"],
		] as const) {
			proxy.dropReplyTo(statement);
			const reply = await call(path, { method, body });
			expect([path, reply.headers.get("Retry-After")]).toEqual([
				path,
				retryAfter,
			]);
			await expectError(reply, "unavailable", /not known whether/);
		}
		await close();
	});

	test("answers 503 in time, and says whether it may have executed a change", async () => {
		const { proxy, call, tag, close } = await openBehindProxy();

		proxy.hold();
		const start = performance.now();
		const headers = { "If-Match": tag };
		const changes = [{ petId: 1, remove: true, version: 1 }];
		const changed = Promise.all([
			call("/pets/1", { method: "PATCH", body: '{"name":"x"}', headers }),
			call("/pets/1", { method: "DELETE", headers }),
			call("/pets/batch", {
				method: "POST",
				body: JSON.stringify({ changes }),
			}),
		]);
		const read = Promise.all([
			call("/pets?name=x"),
			call("/status"),
			...Array.from({ length: 10 }, () => call("/changes")),
		]);
		for (const response of await changed)
			await expectError(
				response,
				"unavailable",
				/This request (was not done|changed nothing)|It is not known whether/,
			);
		for (const response of await read)
			await expectError(response, "unavailable");
		expect(performance.now() - start).toBeLessThan(answeredMs);

		proxy.restore();
		// One of the changes may have succeeded.
		expect([200, 404]).toContain((await call("/pets/1")).status);
		await close();
	}, 15_000);
});
