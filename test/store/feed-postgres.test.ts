// The feed of PostgreSQL with several copies of the service: positions are in the order of commits.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { Client } from "pg";
import type { Store } from "../../src/store/store.ts";
import { openStore } from "../../src/store/store.ts";
import { rex } from "../harness/pet.ts";
import { execute } from "../harness/postgres/server.ts";
import { startMs } from "../service.ts";
import { type Database, newDatabase } from "./engines.ts";

let database: Database;
let store: Store;
let other: Store;
beforeAll(async () => {
	database = await newDatabase("postgres");
	store = await openStore(database.url, { access: "create" });
	other = await openStore(database.url, { access: "create" });
}, startMs);
afterAll(async () => {
	await store.close();
	await other.close();
	await database.remove();
});

describe("Changes feed: promise", () => {
	test("an add that is delayed after it has drawn its id holds up those after it, so the feed misses nothing", async () => {
		await execute(database.url, delayHeld);
		await withTransaction(async (client) => {
			await client.query("SELECT pg_advisory_lock(1)");
			const reader = await startReader();
			const held = { ...rex, name: "Held" };
			const waiting = store.catalogue.addPet({ pet: held });
			await waitForLock(client);
			const next = add(other);
			await reader.readOn();
			expect(reader.ids).toEqual([]);
			await client.query("SELECT pg_advisory_unlock(1)");
			const added = await waiting;
			const early = added.outcome === "mismatch" ? 0n : added.id;
			const id = await next;
			expect(early).toBeLessThan(id);
			await reader.readUntil([early, id]);
		});
	});

	test("returns the last of many changes of an animal", async () => {
		const petId = await add(store);
		const reader = await startReader();
		await Promise.all(
			Array.from({ length: 40 }, (_, n) =>
				(n % 2 ? store : other).catalogue.changePets([
					{ petId, set: { name: `name ${n}` } },
				]),
			),
		);
		const pet = await store.catalogue.getPet(petId);
		await reader.readUntil([petId]);
		await waitFor(async () => {
			await reader.readOn();
			return reader.names.get(petId) === pet?.name;
		});
	});
});

describe("Changes feed: gone", () => {
	test("refuses positions from before a loss of commits, and misses no change after it", async () => {
		const kept = await add(store);
		const lost = [await add(store), await add(store), await add(store)];
		const positions = [await store.feed.last(), await other.feed.last()];
		// As a standby does that takes over without the last commits.
		await execute(
			database.url,
			`DELETE FROM petstore.pets WHERE id > ${kept};
			UPDATE petstore.counter SET last = ${kept}`,
		);
		const added = await add(store);
		expect(lost).toContain(added);
		const reader = await startReader();
		expect(reader.names.has(added)).toBe(true);
		const later: bigint[] = [];
		for (const _ of [...lost, ...lost]) later.push(await add(other));
		await reader.readUntil(later);
		for (const { feed } of [store, other])
			for (const after of positions) {
				const asked = { after, limit: 1 };
				expect(await feed.read(asked)).toBe("gone");
			}
	});
});

/** An insert of the animal "Held" waits for the advisory lock 1. */
const delayHeld = `
	CREATE FUNCTION wait_for_lock() RETURNS trigger LANGUAGE plpgsql AS $$
		BEGIN PERFORM pg_advisory_xact_lock(1); RETURN NEW; END $$;
	CREATE TRIGGER held BEFORE INSERT ON petstore.pets FOR EACH ROW WHEN (NEW.name = 'Held') EXECUTE FUNCTION wait_for_lock()`;

/** Reads the feed from its end on, as clients do. */
async function startReader() {
	let after = 0n;
	const names = new Map<bigint, string | undefined>();
	const ids: bigint[] = [];
	async function readOn(): Promise<void> {
		for (let more = true; more; ) {
			const page = await store.feed.read({ after, limit: 10 });
			if (page === "gone") throw new Error("The position is gone.");
			for (const { position, petId, pet } of page.entries) {
				expect(position).toBeGreaterThan(after);
				ids.push(petId);
				names.set(petId, pet?.name);
			}
			({ next: after, more } = page);
		}
	}
	await readOn();
	ids.length = 0;
	return {
		ids,
		names,
		readOn,
		/** Reads until it has these, in this order. */
		async readUntil(expected: readonly bigint[]): Promise<void> {
			await waitFor(async () => {
				await readOn();
				return ids.length >= expected.length;
			});
			expect(ids).toEqual([...expected]);
		},
	};
}

async function withTransaction(
	work: (client: Client) => Promise<void>,
): Promise<void> {
	const client = new Client({ connectionString: database.url });
	await client.connect();
	await client.query("BEGIN");
	try {
		await work(client);
	} finally {
		await client.end();
	}
}

async function add({ catalogue }: Store): Promise<bigint> {
	const added = await catalogue.addPet({ pet: rex });
	if (added.outcome === "mismatch") throw new Error("not added");
	return added.id;
}

/** Resolves when another session waits for a lock of this one. */
async function waitForLock(client: Client): Promise<void> {
	await waitFor(async () => {
		const { rowCount } = await client.query(
			"SELECT FROM pg_stat_activity WHERE pg_backend_pid() = ANY (pg_blocking_pids(pid))",
		);
		return rowCount !== 0;
	});
}

async function waitFor(check: () => Promise<boolean>): Promise<void> {
	const deadline = performance.now() + 10_000;
	while (!(await check())) {
		if (performance.now() > deadline) throw new Error("It never happened.");
		await Bun.sleep(10);
	}
}
