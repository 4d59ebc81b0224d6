// Servers of PostgreSQL that crash.
import { expect, test } from "bun:test";
import { maxInt64 } from "../../src/domain/types/json.ts";
import { openStore } from "../../src/store/store.ts";
import { rex } from "../harness/pet.ts";
import { alterSystem, startPostgres } from "../harness/postgres/server.ts";

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
