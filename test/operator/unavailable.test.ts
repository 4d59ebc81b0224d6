// Operations of the operator interface while PostgreSQL does not answer.
import { describe, expect, test } from "bun:test";
import { openPetstore } from "../../src/petstore.ts";
import { makeKey } from "../harness/key.ts";
import { silentLog } from "../harness/log.ts";
import { toPet } from "../harness/pet.ts";
import { startProxy } from "../harness/postgres/proxy.ts";
import { createDatabase } from "../harness/postgres/server.ts";
import { answeredMs, expectError } from "../service.ts";

async function openBehindProxy() {
	const database = await createDatabase();
	const proxy = await startProxy(database.url);
	const { fetch, store, stop } = await openPetstore({
		database: proxy.url,
		log: { to: silentLog },
	});
	const { key, record } = makeKey({ scope: "operator" });
	await store.keys.add(record);
	const call = async (path: string, init: RequestInit = {}) =>
		fetch(
			new Request(`http://petstore.test/operator/v1${path}`, {
				...init,
				headers: { Authorization: `Bearer ${key}`, ...init.headers },
			}),
		);
	const pet = toPet({});
	await store.catalogue.addPet({ pet });
	async function close() {
		await stop();
		proxy.close();
		await database.remove();
	}
	return { proxy, call, close };
}

describe("Without PostgreSQL", () => {
	test.each([
		["POST", "/keys", '{"name":"lost key"}', "lost key", null],
		["PATCH", "/pets/1", '{"name":"x"}', "INTO pets", "1"],
		["DELETE", "/pets/1", null, "DELETE FROM pets", "1"],
	])(
		"%s %s answers 503 when its reply was lost, with Retry-After only if it may be repeated",
		async (method, path, body, statement, retryAfter) => {
			const { proxy, call, close } = await openBehindProxy();
			proxy.dropReplyTo(statement);
			const reply = await call(path, { method, body });
			expect(reply.headers.get("Retry-After")).toBe(retryAfter);
			await expectError(reply, "unavailable", /not known whether/);
			await close();
		},
	);

	test("answers 503 in time, and says whether it may have executed a change", async () => {
		const { proxy, call, close } = await openBehindProxy();
		const tag = (await call("/pets/1")).headers.get("ETag") ?? "";

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
