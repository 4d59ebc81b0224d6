// The sessions of a store, and the links to sign in: what every engine must do with them.
import { expect, test } from "bun:test";
import { generateToken } from "../../src/domain/access/secret.ts";
import { sessionIdleMs } from "../../src/limits.ts";
import { maxClockSkewMs } from "../../src/store/access/keys.ts";
import {
	sessionLifetimeMs,
	signInLinkMs,
} from "../../src/store/access/sessions.ts";
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

	test("deletes sessions and links that have ended or lie in the future, and no others", async () => {
		const now = 100 * sessionLifetimeMs;
		const ahead = now + maxClockSkewMs;
		const made = async (createdAt: number, usedAt = createdAt) => {
			const hash = await add(undefined, createdAt);
			await sessions().recordUse(hash, usedAt);
			return hash;
		};
		const kept = [await made(now - sessionIdleMs + 1), await made(ahead)];
		const ended = [
			await made(now - sessionIdleMs),
			await made(now - sessionLifetimeMs, now - 1),
			await made(ahead + 1),
			await made(now, ahead + 1),
		];
		const link = async (expiresAt: number) => {
			const { hash } = generateToken();
			await sessions().addLink({ hash, expiresAt });
			return hash;
		};
		const valid = [await link(now + 1), await link(ahead + signInLinkMs)];
		const others = [await link(now), await link(ahead + signInLinkMs + 1)];
		await stores().other.cleanUp(now);
		for (const hash of kept) expect(await sessions().find(hash)).toBeDefined();
		for (const hash of ended)
			expect(await sessions().find(hash)).toBeUndefined();
		for (const hash of valid)
			expect(await sessions().useLink(hash, now)).toBeDefined();
		for (const hash of others)
			for (const at of [now - 1, ahead])
				expect(await sessions().useLink(hash, at)).toBeUndefined();
	});

	test("refuses an unknown link, and one from the moment it expires or for longer than a link may be valid", async () => {
		const now = 1_000;
		const longest = now + signInLinkMs + maxClockSkewMs;
		expect(await sessions().useLink("unknown", 0)).toBeUndefined();
		for (const [expiresAt, isValid] of [
			[now, false],
			[now + 1, true],
			[longest, true],
			[longest + 1, false],
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
});
