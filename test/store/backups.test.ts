// What a database knows about its backups, and the claim that lets only one process make a backup.

import { expect, test } from "bun:test";
import { backupMs } from "../../src/limits.ts";
import { backupRetryMs, toDueTime } from "../../src/store/backups.ts";
import { backUp, restore } from "../harness/backup.ts";
import { onEachEngine } from "./engines.ts";

const hour = 3_600_000;
const day = 24 * hour;

onEachEngine((stores) => {
	test("lets one of several processes make the backup when they begin at the same time", async () => {
		const { store, other } = stores();
		const at = Date.now();
		const begun = await Promise.all(
			Array.from({ length: 8 }, (_, index) =>
				(index % 2 === 0 ? store : other).backups.begin(`${index}`, at, day),
			),
		);
		expect(begun.filter(Boolean)).toHaveLength(1);
		const holder = `${begun.indexOf(true)}`;
		expect(await other.backups.begin("on request", at)).toBe(false);
		await store.backups.succeed(holder, at);
		expect(await other.backups.read()).toMatchObject({
			newestAt: at,
			failures: 0,
			failure: undefined,
			notBefore: 0,
			catalogue: expect.stringMatching(/^[0-9a-f]{8}$/),
		});
	});

	test("begins no backup before the period has passed, except on request", async () => {
		const { store, other } = stores();
		const { newestAt = 0 } = await store.backups.read();
		const due = newestAt + day;
		expect(await store.backups.begin("a", due - 1, day)).toBe(false);
		expect(await store.backups.begin("a", due - 1)).toBe(true);
		await store.backups.cancel("a");
		expect(await other.backups.begin("b", due, day)).toBe(true);
		await other.backups.cancel("b");
		expect(await other.backups.read()).toMatchObject({ newestAt });
	});

	test("lets the next one begin when the deadline of a backup has passed, and ignores the result of the late one", async () => {
		const { store, other } = stores();
		const { newestAt = 0 } = await store.backups.read();
		const at = newestAt + 2 * day;
		expect(await store.backups.begin("hanging", at, day)).toBe(true);
		const until = at + backupMs;
		for (const every of [day, undefined])
			expect(await other.backups.begin("next", until - 1, every)).toBe(false);
		expect(await other.backups.begin("next", until, day)).toBe(true);
		await store.backups.fail("hanging", until, "late");
		expect(await store.backups.read()).toMatchObject({ failures: 0 });
		await other.backups.succeed("next", until);
		expect(await store.backups.read()).toMatchObject({ newestAt: until });
	});

	test("counts a failure, keeps its reason until the next success, and tries again after five minutes", async () => {
		const { store, other } = stores();
		const { newestAt = 0 } = await store.backups.read();
		const at = newestAt + day;
		expect(await store.backups.begin("a", at, day)).toBe(true);
		await store.backups.fail("a", at, "no space left on device");
		const state = await other.backups.read();
		expect(state).toMatchObject({
			newestAt,
			failures: 1,
			failure: "no space left on device",
		});
		expect(toDueTime(state, day, at)).toBe(at + backupRetryMs);
		const retry = at + backupRetryMs;
		expect(await other.backups.begin("b", retry - 1, day)).toBe(false);
		expect(await other.backups.begin("b", retry, day)).toBe(true);
		await other.backups.succeed("b", retry);
		expect(await store.backups.read()).toMatchObject({
			newestAt: retry,
			failures: 1,
			failure: undefined,
		});
	});

	test("ignores times that a wrong clock has written", async () => {
		const { store } = stores();
		const now = Date.now();
		expect(await store.backups.begin("wrong", now + 900 * day)).toBe(true);
		expect(await store.backups.begin("right", now, day)).toBe(true);
		await store.backups.succeed("right", now + 900 * day);
		const state = await store.backups.read();
		expect(toDueTime(state, day, now)).toBe(now);
		expect(await store.backups.begin("right", now, day)).toBe(true);
		await store.backups.succeed("right", now);
	});

	test("forgets its backup when its content is replaced", async () => {
		const { store } = stores();
		expect(await store.backups.read()).toHaveProperty("newestAt");
		const { path, remove } = await backUp(store);
		await restore(store, path, { replace: true });
		remove();
		const { newestAt } = await store.backups.read();
		expect(newestAt).toBeUndefined();
	});
});
