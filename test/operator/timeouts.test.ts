// A backup on request that takes longer than a reply may.
import { expect, test } from "bun:test";
import { setTimeout as sleep } from "node:timers/promises";
import { listBackups } from "../../src/backups/folder.ts";
import { createBackupMaker } from "../../src/backups/maker.ts";
import { makeInTime } from "../../src/operator/backups.ts";
import { openStore } from "../../src/store/store.ts";
import { silentLog } from "../harness/log.ts";
import { temporaryDatabase, temporaryFolder } from "../harness/temporary.ts";

test("answers in time if a backup takes longer, and lists the backup when it is complete", async () => {
	const database = temporaryDatabase();
	const store = await openStore(database.url, { access: "create" });
	const { path: folder, remove } = temporaryFolder();
	const job = { database: database.url, folder };
	const maker = createBackupMaker(store.backups, job, silentLog);
	await expect(makeInTime(maker, 10)).rejects.toMatchObject({
		code: "unavailable",
		message: expect.stringContaining("continues"),
	});
	expect(await listBackups(folder)).toEqual([]);
	while (!(await store.backups.read()).newestAt) await sleep(20);
	expect(await listBackups(folder)).toHaveLength(1);
	remove();
	await store.close();
	database.remove();
});
