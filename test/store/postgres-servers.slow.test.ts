// Servers of PostgreSQL that crash, or become read-only.
import { expect, test } from "bun:test";
import { maxInt64 } from "../../src/domain/json.ts";
import { openStore } from "../../src/store/store.ts";
import { rex } from "../harness/pet.ts";
import {
	alterSystem,
	countRows,
	startPostgres,
} from "../harness/postgres/server.ts";

test.each([
	["is off", ["synchronous_commit=off"]],
	["is switched off while the service runs", []],
])(
	"keeps an acknowledged animal after a crash of the server, even if synchronous_commit %s",
	async (_what, settings) => {
		const server = await startPostgres([...settings, "wal_writer_delay=10000"]);
		const store = await openStore(server.url, { access: "create" });
		await store.ping();
		await alterSystem(server.url, "SET synchronous_commit = off");
		const added = await store.catalogue.addPet({ pet: rex });
		await server.stop("SIGQUIT");
		await store.close();
		await server.start();
		const again = await openStore(server.url, { access: "write" });
		expect(added.outcome).toBe("added");
		expect(
			await again.catalogue.listPets({
				limit: 2,
				maxId: maxInt64,
				status: undefined,
			}),
		).toMatchObject([{ id: 1n, ...rex }]);
		await again.close();
		await server.remove();
	},
	30_000,
);

test("closes the connections to a server that has become read-only", async () => {
	const server = await startPostgres([]);
	const store = await openStore(server.url, { access: "create" });
	await store.ping();
	const sessions = () =>
		countRows(
			server.url,
			"SELECT FROM pg_stat_activity WHERE application_name = 'petstore'",
		);
	expect(await sessions()).toBe(1);
	await alterSystem(server.url, "SET default_transaction_read_only = on");
	await expect(store.ping()).rejects.toMatchObject({ code: "unavailable" });
	// Fails by its timeout if they stay open.
	while ((await sessions()) > 0) await Bun.sleep(10);
	await store.close();
	await server.remove();
}, 30_000);
