// Operations of the operator interface on a store that is slow, but answers.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { setTimeout as sleep } from "node:timers/promises";
import { createSessionAuthentication } from "../../src/auth/sessions.ts";
import { listBackups } from "../../src/backups/folder.ts";
import { createBackupMaker } from "../../src/backups/maker.ts";
import { generateToken } from "../../src/domain/token.ts";
import { anonymous } from "../../src/http/surface.ts";
import { operatorAnswerMs } from "../../src/limits.ts";
import { makeInTime } from "../../src/operator/backups.ts";
import { createSessions } from "../../src/operator/sessions.ts";
import type { Sessions } from "../../src/store/sessions.ts";
import type { Store } from "../../src/store/store.ts";
import { openStore } from "../../src/store/store.ts";
import { openApp } from "../harness/app.ts";
import { silentLog } from "../harness/log.ts";
import { temporaryDatabase, temporaryFolder } from "../harness/temporary.ts";

const database = temporaryDatabase();
let store: Store;
beforeAll(async () => {
	store = await openStore(database.url, { access: "create" });
});
afterAll(async () => {
	await store.close();
	database.remove();
});

/** Time beside the delays, on a processor that other programs keep busy. */
const overhead = 1_500;

describe("Sessions", () => {
	test("answers 503 in time to a sign-in whose queries are slow", async () => {
		const half = operatorAnswerMs / 2 + 100;
		const site = { hasTls: false, proxyOrigin: undefined };
		const sessions: Sessions = {
			...store.sessions,
			async useLink(hash, at) {
				await sleep(half);
				return store.sessions.useLink(hash, at);
			},
			async add(session) {
				await sleep(half);
				return store.sessions.add(session);
			},
		};
		const { token, hash } = generateToken();
		await sessions.addLink({ hash, expiresAt: Date.now() + 60_000 });
		const authentication = createSessionAuthentication({
			sessions,
			site,
			authenticateByKey: () => anonymous,
			report() {},
		});
		const surface = createSessions({
			sessions,
			site,
			authentication,
			identify: () => anonymous,
		});
		const start = performance.now();
		const reply = await openApp(surface)(surface.prefix, {
			method: "POST",
			headers: { Host: "localhost", "Sec-Fetch-Site": "same-origin" },
			body: JSON.stringify({ link: token }),
		});
		expect(reply.status).toBe(503);
		expect(performance.now() - start).toBeLessThan(operatorAnswerMs + overhead);
	});
});

describe("Backups on request", () => {
	test("answers in time if a backup takes longer, and lists the backup when it is complete", async () => {
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
	});
});
