// The sessions of a store, and the links to sign in: what every engine must do with them.
import { expect, test } from "bun:test";
import { generateToken } from "../../src/domain/token.ts";
import { sessionIdleMs } from "../../src/limits.ts";
import { maxClockSkewMs } from "../../src/store/keys.ts";
import { sessionLifetimeMs, signInLinkMs } from "../../src/store/sessions.ts";
import { makeKey } from "../harness/key.ts";
import { onEachEngine } from "./engines.ts";

onEachEngine((stores) => {
	const sessions = () => stores().store.sessions;
	const other = () => stores().other.sessions;

	async function add(keyHash?: string, createdAt = 1_000): Promise<string> {
		const { hash } = generateToken();
		await sessions().add({ hash, keyHash, createdAt });
		return hash;
	}

	test("stores a session, and finds it by its hash on another process", async () => {
		const hash = await add();
		expect(await other().find(hash)).toEqual({
			hash,
			keyHash: undefined,
			createdAt: 1_000,
			lastUsedAt: 1_000,
			key: undefined,
		});
		expect(await sessions().find("unknown")).toBeUndefined();
	});

	test("finds a session with its key as it is now", async () => {
		const { keys } = stores().store;
		const { record } = makeKey({ scope: "operator" });
		const { id } = await keys.add(record);
		const hash = await add(record.hash);
		expect(await other().find(hash)).toMatchObject({
			keyHash: record.hash,
			key: { id, scope: "operator" },
		});
		await keys.revoke(id, 1_200);
		expect((await other().find(hash))?.key?.revokedAt).toBe(1_200);
	});

	test("records the last use of a session at most once a minute, and never moves it back", async () => {
		const hash = await add();
		for (const [at, recorded] of [
			[60_999, 1_000],
			[61_000, 61_000],
			[1_000, 61_000],
		] as const) {
			await sessions().recordUse(hash, at);
			expect((await other().find(hash))?.lastUsedAt).toBe(recorded);
		}
	});

	test("does not find a deleted session, and does nothing when it is deleted again", async () => {
		const [deleted, left] = [await add(), await add()];
		await sessions().delete(deleted);
		await sessions().delete(deleted);
		expect(await other().find(deleted)).toBeUndefined();
		expect(await other().find(left)).toBeDefined();
	});

	test("deletes sessions that were idle too long or are too old, and expired links, and no others", async () => {
		const now = 100 * sessionLifetimeMs;
		const ages = {
			idle: now - sessionIdleMs,
			fresh: now - sessionIdleMs + 1,
			old: now - sessionLifetimeMs,
		};
		const idle = await add(undefined, ages.idle);
		const fresh = await add(undefined, ages.fresh);
		const old = await add(undefined, ages.old);
		await sessions().recordUse(old, now - 1);
		const [expired, valid] = [generateToken(), generateToken()];
		await sessions().addLink({ hash: expired.hash, expiresAt: now });
		await sessions().addLink({ hash: valid.hash, expiresAt: now + 1 });
		await stores().other.cleanUp(now);
		expect(await sessions().find(idle)).toBeUndefined();
		expect(await sessions().find(old)).toBeUndefined();
		expect(await sessions().find(fresh)).toBeDefined();
		expect(await sessions().useLink(expired.hash, now - 1)).toBeUndefined();
		expect(await sessions().useLink(valid.hash, now)).toBeDefined();
	});

	test("deletes sessions and links whose time lies in the future", async () => {
		const now = 100 * sessionLifetimeMs;
		const ahead = now + maxClockSkewMs;
		const [near, far] = [
			await add(undefined, ahead),
			await add(undefined, ahead + 1),
		];
		const used = await add(undefined, now);
		await sessions().recordUse(used, ahead + 1);
		const [nearLink, farLink] = [generateToken(), generateToken()];
		const expiresAt = ahead + signInLinkMs;
		await sessions().addLink({ hash: nearLink.hash, expiresAt });
		await sessions().addLink({ hash: farLink.hash, expiresAt: expiresAt + 1 });
		await stores().other.cleanUp(now);
		expect(await sessions().find(near)).toBeDefined();
		expect(await sessions().find(far)).toBeUndefined();
		expect(await sessions().find(used)).toBeUndefined();
		expect(await sessions().useLink(nearLink.hash, now)).toBeDefined();
		expect(await sessions().useLink(farLink.hash, ahead)).toBeUndefined();
	});

	test("refuses a link that is valid for longer than a link may be", async () => {
		const now = 1_000;
		for (const [expiresAt, isValid] of [
			[now + signInLinkMs + maxClockSkewMs, true],
			[now + signInLinkMs + maxClockSkewMs + 1, false],
		] as const) {
			const { hash } = generateToken();
			await sessions().addLink({ hash, expiresAt });
			const used = await other().useLink(hash, now);
			expect(used !== undefined).toBe(isValid);
		}
	});

	test("deletes all sessions and all links, on every process", async () => {
		const hashes = [await add(), await add()];
		const link = generateToken();
		await sessions().addLink({ hash: link.hash, expiresAt: 2_000 });
		await other().deleteAll();
		await other().deleteAll();
		for (const hash of hashes)
			expect(await sessions().find(hash)).toBeUndefined();
		expect(await sessions().useLink(link.hash, 1_000)).toBeUndefined();
		expect(await sessions().find(await add())).toBeDefined();
	});

	test("accepts a link once, even if two processes try it at the same time", async () => {
		const { hash } = generateToken();
		await sessions().addLink({ hash, expiresAt: 2_000 });
		const attempts = [sessions(), other(), sessions(), other()];
		const used = await Promise.all(
			attempts.map((each) => each.useLink(hash, 1_000)),
		);
		expect(used.filter((isValid) => isValid)).toHaveLength(1);
		expect(await other().useLink(hash, 1_000)).toBeUndefined();
	});

	test("refuses a link from the moment it expires, and an unknown link", async () => {
		const { hash } = generateToken();
		await sessions().addLink({ hash, expiresAt: 2_000 });
		expect(await sessions().useLink(hash, 2_000)).toBeUndefined();
		expect(await sessions().useLink("unknown", 0)).toBeUndefined();
	});
});
