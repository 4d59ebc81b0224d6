// PostgreSQL behind PgBouncer: session mode works, transaction mode is refused.
import { describe, expect, test } from "bun:test";
import { openStore, openStoreReader } from "../../src/store/open.ts";
import { connect, toConfig } from "../../src/store/postgres/connection.ts";
import {
	type Bouncer,
	pgbouncer,
	startBouncer,
} from "../harness/postgres/pgbouncer.ts";
import { createDatabase } from "../harness/postgres/server.ts";
import { add, idOf, openService, startMs } from "../service.ts";

if (pgbouncer === undefined)
	console.warn("not run: connection poolers, since not installed: pgbouncer");

/** A database that has the schema already, so that a command that reads finds it. */
async function behindBouncer(
	settings: Readonly<Record<string, string | number>>,
	use: (bouncer: Bouncer) => Promise<void>,
): Promise<void> {
	const database = await createDatabase();
	const store = await openStore(database.url, { create: true });
	await store.close();
	const bouncer = await startBouncer(pgbouncer ?? "", database.url, settings);
	try {
		await use(bouncer);
	} finally {
		await bouncer.stop();
		await database.remove();
	}
}

describe("Connection poolers", () => {
	describe.skipIf(pgbouncer === undefined)("PgBouncer", () => {
		test.each(["transaction", "statement"])(
			"refuses %s mode in services and commands",
			(pool_mode) =>
				behindBouncer({ pool_mode }, async ({ url }) => {
					const refusal =
						/is behind a connection pooler in transaction mode.*Set its pool_mode to session/;
					await expect(openStore(url, { create: true })).rejects.toThrow(
						refusal,
					);
					await expect(openStoreReader(url)).rejects.toThrow(refusal);
				}),
			startMs,
		);

		test(
			"refuses transaction mode even while others use it",
			() =>
				behindBouncer({ pool_mode: "transaction" }, async ({ url }) => {
					const others = await Promise.all(
						Array.from({ length: 8 }, () => connect(toConfig(url))),
					);
					let isOver = false;
					const work = others.map(async (client) => {
						while (!isOver) await client.query("SELECT pg_sleep(0.002)");
					});
					try {
						for (let i = 0; i < 20; i++)
							await expect(openStoreReader(url)).rejects.toThrow(
								/transaction mode/,
							);
					} finally {
						isOver = true;
						// PgBouncer must not end before them, or the next try fails too.
						await Promise.allSettled(work);
					}
					await Promise.all(work);
					await Promise.all(others.map((client) => client.end()));
				}),
			2 * startMs,
		);

		test(
			"works in session mode",
			() =>
				behindBouncer({ pool_mode: "session" }, async ({ url }) => {
					const service = await openService("in process", { databaseUrl: url });
					const pets = await Promise.all(
						Array.from({ length: 200 }, (_, i) =>
							add(service, JSON.stringify({ name: `${i}`, categoryId: 1 })),
						),
					);
					for (const pet of pets) {
						const reply = await service.call(`/v1/pets/${idOf(pet)}`);
						expect([reply.status, await reply.text()]).toEqual([200, pet]);
					}
					await service.close();
				}),
			startMs,
		);
	});
});
