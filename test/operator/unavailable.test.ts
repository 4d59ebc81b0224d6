// Operations of the operator interface when the reply of PostgreSQL is lost. test/v1/unavailable.test.ts has the adds.
import { expect, test } from "bun:test";
import { toPet } from "../harness/pet.ts";
import { startProxy } from "../harness/postgres/proxy.ts";
import { createDatabase } from "../harness/postgres/server.ts";
import { expectError, openService, startMs } from "../service.ts";

test(
	"says that it is not known what was done, with Retry-After only if the request may be repeated",
	async () => {
		const database = await createDatabase();
		const proxy = await startProxy(database.url);
		const service = await openService("in process", {
			databaseUrl: proxy.url,
		});
		await service.store.catalogue.addPet({ pet: toPet({}) });
		// Makes the key of the calls.
		await service.call("/operator/v1/status");
		for (const [method, path, body, statement, retryAfter] of [
			["POST", "/keys", '{"name":"lost key"}', "lost key", null],
			["PATCH", "/pets/1", '{"name":"x"}', "INTO pets", "1"],
			["DELETE", "/pets/1", undefined, "DELETE FROM pets", "1"],
		] as const) {
			proxy.dropReplyTo(statement);
			const reply = await service.call(`/operator/v1${path}`, { method, body });
			expect([path, reply.headers.get("Retry-After")]).toEqual([
				...[path, retryAfter],
			]);
			await expectError(reply, "unavailable", /not known whether/);
		}
		await service.close();
		proxy.close();
		await database.remove();
	},
	startMs,
);
