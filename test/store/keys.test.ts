// The API keys of a store: what every engine must do with them.
import { expect, test } from "bun:test";
import { generateKey } from "../../src/domain/api-key.ts";
import { forgetAfterMs } from "../../src/domain/key-scope.ts";
import { generateToken } from "../../src/domain/token.ts";
import { openStoreReader } from "../../src/store/open.ts";
import { toSessionEnd } from "../../src/store/sessions.ts";
import { makeKey } from "../harness/key.ts";
import { onEachEngine } from "./engines.ts";

const day = 86_400_000;

onEachEngine((stores) => {
	const keys = () => stores().store.keys;
	const other = () => stores().other.keys;

	test("stores the record of a key, and finds it by its hash", async () => {
		const { record } = makeKey({
			name: "n\u00e4me",
			scope: "read",
			expiresAt: Date.now() + day,
		});
		const { id } = await keys().add(record);
		const stored = {
			...record,
			id,
			revokedAt: undefined,
			lastUsedAt: undefined,
		};
		expect(await other().find(record.hash)).toEqual({
			...stored,
			secretExpiresAt: undefined,
		});
		expect(await keys().list()).toContainEqual(stored);
		expect(await keys().find("unknown")).toBeUndefined();
	});

	test("lists keys by id, in the order of their creation", async () => {
		const made = [];
		for (let count = 0; count < 3; count++)
			made.push((await keys().add(makeKey().record)).id);
		const listed = (await keys().list()).map(({ id }) => id);
		expect(listed.slice(-3)).toEqual(made);
		expect(listed).toEqual(listed.toSorted((a, b) => a - b));
	});

	test("revokes a key once, and keeps the time of the first revocation", async () => {
		const { record } = makeKey();
		const { id } = await keys().add(record);
		expect(await keys().revoke(id, 1_000)).toMatchObject({
			revokedAt: undefined,
		});
		expect(await keys().revoke(id, 2_000)).toMatchObject({ revokedAt: 1_000 });
		expect(await other().find(record.hash)).toMatchObject({
			id,
			revokedAt: 1_000,
		});
		expect(await keys().revoke(99_999, 1_000)).toBeUndefined();
	});

	test("records the last use of a key at most once a minute, and moves it back only from the future", async () => {
		const { record } = makeKey();
		const { id } = await keys().add(record);
		const start = Date.now();
		for (const [at, recorded] of [
			[start, start],
			[start + 59_999, start],
			[start - 60_000, start],
			[start + 60_000, start + 60_000],
			[start - 1, start - 1],
		] as const) {
			await keys().recordUse(id, at);
			expect((await keys().find(record.hash))?.lastUsedAt).toBe(recorded);
		}
	});

	test("renames a key, even a revoked one", async () => {
		const { record } = makeKey({ name: "old" });
		const { id } = await keys().add(record);
		await keys().revoke(id, 1_000);
		const renamed = await keys().rename(id, "n\u00e4w");
		expect(renamed).toMatchObject({ id, name: "n\u00e4w", revokedAt: 1_000 });
		expect(await other().find(record.hash)).toMatchObject({
			name: "n\u00e4w",
		});
		expect(await keys().rename(99_999, "x")).toBeUndefined();
	});

	test("finds a rotated key by both secrets, and ends the old secret after the overlap", async () => {
		const { record } = makeKey({ name: "rotated", expiresAt: 9_000_000 });
		const added = await keys().add(record);
		const { id } = added;
		const next = newSecret();
		const rotation = await keys().rotate(id, {
			...next,
			at: 1_000,
			overlapMs: 500,
		});
		const key = { ...added, prefix: next.prefix };
		expect(rotation).toEqual({ outcome: "rotated", key });
		for (const [hash, secretExpiresAt] of [
			[record.hash, 1_500],
			[next.hash, undefined],
		] as const)
			expect(await other().find(hash)).toEqual({ ...key, secretExpiresAt });
		expect(await keys().list()).toContainEqual(key);
	});

	test("extends no secret at a further rotation, and deletes expired secrets", async () => {
		const { record } = makeKey();
		const { id } = await keys().add(record);
		const [second, third, fourth] = [newSecret(), newSecret(), newSecret()];
		await keys().rotate(id, { ...second, at: 1_000, overlapMs: 500 });
		await keys().rotate(id, { ...third, at: 1_100, overlapMs: 5_000 });
		const endOf = async (hash: string) =>
			(await other().find(hash))?.secretExpiresAt;
		expect(await endOf(record.hash)).toBe(1_500);
		expect(await endOf(second.hash)).toBe(6_100);
		await keys().rotate(id, { ...fourth, at: 1_500, overlapMs: 0 });
		expect(await other().find(record.hash)).toBeUndefined();
		expect(await endOf(second.hash)).toBe(1_500);
		expect(await endOf(third.hash)).toBe(1_500);
		expect(await endOf(fourth.hash)).toBeUndefined();
	});

	test("refuses to rotate a key that is revoked, expired or not there", async () => {
		const secret = { ...newSecret(), at: 2_000, overlapMs: 0 };
		const revoked = await keys().add(makeKey().record);
		await keys().revoke(revoked.id, 1_000);
		const expired = await keys().add(makeKey({ expiresAt: 2_000 }).record);
		for (const [id, outcome] of [
			[revoked.id, "revoked"],
			[expired.id, "expired"],
			[99_999, "missing"],
		] as const)
			expect(await keys().rotate(id, secret)).toEqual({ outcome });
		expect(await keys().find(secret.hash)).toBeUndefined();
		expect(await keys().find(revoked.hash)).toMatchObject({
			prefix: revoked.prefix,
			secretExpiresAt: undefined,
		});
	});

	test("lists the keys in parts, in the order of their ids", async () => {
		for (let count = 0; count < 5; count++) await keys().add(makeKey().record);
		const all = (await other().list()).map(({ id }) => id);
		const [first = 0, second = 0, third = 0] = all;
		const idsOf = async (page: { after: number; limit: number }) =>
			(await other().list(page)).map(({ id }) => id);
		expect(await idsOf({ after: 0, limit: 2 })).toEqual([first, second]);
		expect(await idsOf({ after: second, limit: 1 })).toEqual([third]);
		expect(await idsOf({ after: all.at(-1) ?? 0, limit: 2 })).toEqual([]);
	});

	test("forgets a key that was revoked long enough ago, with its secrets, and never assigns its id again", async () => {
		const { record } = makeKey({ scope: "operator" });
		const { id } = await keys().add(record);
		await keys().rotate(id, { ...newSecret(), at: 1_000, overlapMs: 0 });
		const session = generateToken();
		await stores().store.sessions.add({
			hash: session.hash,
			secretHash: record.hash,
			createdAt: 1_000,
		});
		const at = 1_000 + forgetAfterMs;
		expect(await keys().forget(id, at)).toBe("valid");
		await keys().revoke(id, 1_000);
		expect(await keys().forget(id, at - 1)).toBe("recent");
		expect(await keys().find(record.hash)).toBeDefined();
		expect(await keys().forget(id, at)).toBe("forgotten");
		expect(await other().forget(id, at)).toBe("missing");
		expect(await other().find(record.hash)).toBeUndefined();
		expect((await other().list()).some((key) => key.id === id)).toBe(false);
		const found = await stores().other.sessions.find(session.hash);
		expect(found && toSessionEnd(found, 2_000)).toBe(0);
		const next = await keys().add(makeKey().record);
		expect(next.id).toBeGreaterThan(id);
		const { url } = stores();
		const reader = await openStoreReader(url);
		expect(await reader.check()).toMatchObject({ findings: [], count: 0 });
		await reader.close();
	});

	test("leaves exactly one secret without an end when two processes rotate at the same time", async () => {
		const { record } = makeKey();
		const { id } = await keys().add(record);
		const secrets = Array.from({ length: 4 }, newSecret);
		const rotations = await Promise.all(
			secrets.map((secret, index) =>
				(index % 2 === 0 ? keys() : other()).rotate(id, {
					...secret,
					at: 1_000,
					overlapMs: 60_000,
				}),
			),
		);
		for (const { outcome } of rotations) expect(outcome).toBe("rotated");
		const all = [record, ...secrets];
		const found = await Promise.all(all.map(({ hash }) => keys().find(hash)));
		const ends = found.map((key) => key?.secretExpiresAt);
		expect(ends.filter((end) => end === undefined)).toHaveLength(1);
		expect(ends.filter((end) => end === 61_000)).toHaveLength(4);
	});
});

function newSecret() {
	const { hash, prefix } = generateKey();
	return { hash, prefix };
}
