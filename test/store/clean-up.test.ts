// When old rows are deleted, and that a clock that is ahead deletes nothing.
import { expect, test } from "bun:test";
import { maxInt64 } from "../../src/domain/json.ts";
import { createFailureLog } from "../../src/log.ts";
import { startCleanUp } from "../../src/store/clean-up.ts";
import type { Store } from "../../src/store/store.ts";
import { silentLog } from "../harness/log.ts";
import { rex } from "../harness/pet.ts";
import { executeOn, onEachEngine, openNewStore } from "./engines.ts";

const hour = 60 * 60 * 1000;
const day = 24 * hour;
const year = 365 * day;

onEachEngine((stores) => {
	test("doubts a clock that is far from the newest time in the database, or from that of PostgreSQL", async () => {
		const { store, engine } = stores();
		const now = Date.now();
		await addKeyed(store, now - 2 * year, "old");
		await addKeyed(store, now, "new");
		expect(await store.isClockDoubtful(now)).toBe(false);
		expect(await store.isClockDoubtful(now + year)).toBe(true);
		const near = engine === "sqlite" ? day : hour;
		expect(await store.isClockDoubtful(now + near - 60_000)).toBe(false);
		expect(await store.isClockDoubtful(now + near + 60_000)).toBe(true);
	});

	test("does not take a time in the future for the newest", async () => {
		const { store, url, engine } = stores();
		const now = Date.now();
		await executeOn(engine, url, (schema) => [
			`UPDATE ${schema}pets SET added_at = ${now + 9 * year}`,
		]);
		await addKeyed(store, now + 9 * year, "future");
		expect(await store.isClockDoubtful(now)).toBe(false);
		expect(await store.isClockDoubtful(now + year)).toBe(true);
	});

	test("deletes nothing while the clock is doubtful, says so once, and goes on after a day", async () => {
		await using store = await openNewStore(stores().engine);
		const at = Date.now();
		await addKeyed(store, at, "k");
		await store.catalogue.changePets([{ petId: 1n, set: { name: "Max" } }]);
		const warnings: string[] = [];
		let uptime = 0;
		const stop = startCleanUp(
			store,
			{
				...createFailureLog(silentLog),
				report: (level) => warnings.push(level),
			},
			undefined,
			{ now: () => at + 2 * year, uptime: () => uptime, everyMs: 10 },
		);
		await Bun.sleep(100);
		expect(warnings).toEqual(["warn"]);
		expect(await addKeyed(store, at, "k")).toMatchObject({
			outcome: "replayed",
		});
		const readHistory = async () =>
			(await store.history.readAll({ maxPosition: maxInt64, limit: 9 }))
				.entries;
		expect(await readHistory()).toHaveLength(1);
		uptime = day;
		while ((await readHistory()).length > 0) await Bun.sleep(5);
		expect(await addKeyed(store, at, "k")).toMatchObject({ outcome: "added" });
		expect(warnings).toHaveLength(1);
		stop();
		await Bun.sleep(20);
	});
});

function addKeyed({ catalogue }: Store, at: number, key: string) {
	const idempotency = { owner: "o", key, fingerprint: "f", at };
	return catalogue.addPet({ pet: rex, idempotency, origin: { at, by: null } });
}
