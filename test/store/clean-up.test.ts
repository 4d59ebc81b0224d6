// When old rows are deleted, and that a clock that is ahead deletes nothing.
import { expect, test } from "bun:test";
import { byCommandLine } from "../../src/domain/access/author.ts";
import { maxInt64 } from "../../src/domain/types/json.ts";
import { createFailureLog } from "../../src/log.ts";
import { startCleanUp } from "../../src/store/clean-up.ts";
import { all } from "../../src/store/database/sql.ts";
import type { Store } from "../../src/store/store.ts";
import { silentLog } from "../harness/log.ts";
import { rex } from "../harness/pet.ts";
import { waitFor } from "../harness/process.ts";
import {
	add,
	executeOn,
	importLines,
	onEachEngine,
	openNewStore,
} from "./engines.ts";

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
		while (warnings.length === 0) await Bun.sleep(5);
		await Bun.sleep(50);
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

	test("doubts a clock that jumps while the service runs, whatever is written by it, until it is right again", async () => {
		await using store = await openNewStore(stores().engine);
		const real = Date.now();
		let [at, uptime, warnings] = [real, 2 * day, 0];
		const failures = {
			...createFailureLog(silentLog),
			report: () => warnings++,
		};
		const stop = startCleanUp(store, failures, undefined, {
			now: () => at,
			uptime: () => uptime,
			everyMs: 5,
		});
		const isKept = async (key: string) =>
			(await addKeyed(store, real, key)).outcome === "replayed";
		const untilDeleted = async (key: string) => {
			await addKeyed(store, real - 2 * day, key);
			await waitFor(async () => !(await isKept(key)));
		};
		await addKeyed(store, real, "valid");
		await untilDeleted("before");
		at += 2 * year;
		await addKeyed(store, at, "by the wrong clock");
		await Bun.sleep(50);
		expect(await isKept("valid")).toBe(true);
		[at, uptime] = [at + day / 2, uptime + day / 2];
		await Bun.sleep(50);
		expect(await isKept("valid")).toBe(true);
		at = real;
		await untilDeleted("after");
		expect(await isKept("valid")).toBe(true);
		expect(warnings).toBe(1);
		stop();
		await Bun.sleep(20);
	});

	test("deletes old edits with their history, however long, and old ids of imports, beside many entries of the future", async () => {
		await using store = await openNewStore(stores().engine);
		const now = Date.now();
		const [old, kept, future] = [
			now - 401 * day,
			now - 399 * day,
			now + 9 * year,
		];
		const by = byCommandLine().by;
		const first = await add(store);
		const edit = (at: number, count = 1) =>
			store.catalogue.changePets(
				Array.from({ length: count }, (_, index) => ({
					petId: first + BigInt(index),
					set: { name: `${at} ${Math.random()}` },
				})),
				{ by, at },
			);
		const once = (importId: string, at: number) =>
			importLines(store, Array(700).fill(rex), {
				importId,
				authored: { by, at },
			});
		await once("old", old);
		await once("kept", kept);
		for (let time = 0; time < 250; time++) await edit(future);
		await edit(old, 701);
		for (let time = 0; time < 250; time++) await edit(old);
		await edit(now);
		await store.cleanUp(now);
		const rows = await store.archive.read(() => all("count rows", counted));
		expect(rows).toEqual([
			{ at: BigInt(kept), edits: 1n, entries: 0n },
			{ at: BigInt(now), edits: 1n, entries: 1n },
			{ at: BigInt(future), edits: 250n, entries: 250n },
			{ at: null, edits: 0n, entries: 251n },
		]);
		await store.cleanUp(now, 0);
		expect((await once("kept", now)).outcome).toBe("repeated");
		expect((await once("old", now)).outcome).toBe("done");
	});
});

/** The edits by their times with their entries, and all entries. */
const counted = `SELECT at, count(DISTINCT edits.id) AS edits, count(position) AS entries
	FROM edits LEFT JOIN history ON edit = edits.id GROUP BY at
	UNION ALL SELECT NULL, 0, count(*) FROM history ORDER BY at NULLS LAST`;

function addKeyed({ catalogue }: Store, at: number, key: string) {
	const idempotency = { owner: "o", key, fingerprint: "f", at };
	return catalogue.addPet({ pet: rex, idempotency, origin: { at, by: null } });
}
