// What a database knows about its backups, and which of several services begins the next one.
import { expect, test } from "bun:test";
import { backupPauseMs, toDueTime } from "../../src/store/files/backups.ts";
import { holdLock, onEachEngine } from "./engines.ts";

const day = 24 * 3_600_000;

onEachEngine((stores) => {
	test("lets one of several services begin the backup that is due, and any of them on request", async () => {
		const { store, other } = stores();
		const at = Date.now();
		const begun = await Promise.all(
			Array.from({ length: 8 }, (_, index) =>
				(index % 2 === 0 ? store : other).backups.begin(at, day),
			),
		);
		expect(begun.filter(Boolean)).toHaveLength(1);
		expect(await other.backups.begin(at)).toBe(true);
		await store.backups.succeed(at);
		expect(await other.backups.read()).toEqual({
			catalogue: expect.stringMatching(/^[0-9a-f]{8}$/),
			newestAt: at,
			triedAt: undefined,
			failures: 0,
			failure: undefined,
		});
		expect(await other.backups.begin(at + day - 1, day)).toBe(false);
		expect(await other.backups.begin(at + day, day)).toBe(true);
	});

	test("lets the next one begin five minutes after one that failed, hangs or was killed", async () => {
		const { store, other } = stores();
		const { newestAt = 0 } = await store.backups.read();
		const at = newestAt + 2 * day;
		expect(await store.backups.begin(at, day)).toBe(true);
		const again = at + backupPauseMs;
		expect(await other.backups.begin(again - 1, day)).toBe(false);
		expect(await other.backups.begin(again, day)).toBe(true);
		await other.backups.fail(again, "no space left on device");
		const state = await store.backups.read();
		expect(state).toMatchObject({
			newestAt,
			failures: 1,
			failure: "no space left on device",
		});
		expect(toDueTime(state, day, again)).toBe(again + backupPauseMs);
		await other.backups.succeed(again);
		expect(await store.backups.read()).toMatchObject({
			failures: 1,
			failure: undefined,
		});
	});

	test("records a backup that was made when a long write ends, however long that takes", async () => {
		const { store, url } = stores();
		const at = Date.now();
		const release = await holdLock(url);
		const recording = store.backups.succeed(at);
		await Bun.sleep(4_000);
		await release();
		await recording;
		expect(await store.backups.read()).toMatchObject({ newestAt: at });
	}, 20_000);

	test("ignores times that a wrong clock has written", async () => {
		const { store } = stores();
		const now = Date.now();
		await store.backups.begin(now + 900 * day);
		await store.backups.succeed(now + 900 * day);
		expect(toDueTime(await store.backups.read(), day, now)).toBe(now);
		expect(await store.backups.begin(now, day)).toBe(true);
	});
});
