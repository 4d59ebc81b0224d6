// The API keys of a store: what every engine must do with them.
import { expect, test } from "bun:test";
import { toSessionEnd } from "../../src/store/access/sessions.ts";
import { makeKey } from "../harness/key.ts";
import { onEachEngine } from "./engines.ts";

const day = 86_400_000;

onEachEngine((stores) => {
	const keys = () => stores().store.keys;
	const other = () => stores().other.keys;

	test("stores the record of a key, and finds it by its whole hash", async () => {
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
			deprecatedUseAt: undefined,
		};
		expect(await other().find(record.hash)).toEqual(stored);
		expect(await keys().list()).toContainEqual(stored);
		const part = record.hash.slice(0, -1);
		for (const unknown of ["unknown", part, `${part}-`])
			expect(await keys().find(unknown)).toBeUndefined();
	});

	test.each([
		["use of a key", "recordUse", "lastUsedAt"],
		[
			"call of a deprecated operation",
			"recordDeprecatedUse",
			"deprecatedUseAt",
		],
	] as const)(
		"records the last %s at most once a minute, and moves it back only from the future",
		async (_what, method, member) => {
			const { record } = makeKey();
			await keys().add(record);
			const start = Date.now();
			for (const [at, recorded] of [
				[start, start],
				[start + 59_999, start],
				[start - 60_000, start],
				[start + 60_000, start + 60_000],
				[start - 1, start - 1],
			] as const) {
				await keys()[method](record.hash, at);
				expect((await keys().find(record.hash))?.[member]).toBe(recorded);
			}
		},
	);

	test("deletes a key a year after it was revoked or expired, and never assigns its id again", async () => {
		const now = Date.now();
		const ended = now - 365 * day;
		const add = async (expiresAt?: number, revokedAt?: number) => {
			const { record } = makeKey({ scope: "operator", expiresAt });
			const { id } = await keys().add(record);
			if (revokedAt !== undefined) await keys().revoke(id, revokedAt);
			return { id, hash: record.hash };
		};
		const kept = [
			await add(),
			await add(now),
			await add(ended + 1),
			await add(undefined, ended + 1),
		];
		const deleted = [await add(undefined, ended), await add(ended)];
		const last = await add(undefined, ended);
		deleted.push(last);
		const session = { hash: "s", keyHash: last.hash, createdAt: now };
		await stores().store.sessions.add(session);
		await stores().other.cleanUp(now);
		const found = async (all: typeof kept) =>
			(await Promise.all(all.map((key) => keys().find(key.hash)))).map(
				(key) => key?.id,
			);
		expect(await found(kept)).toEqual(kept.map((key) => key.id));
		expect(await found(deleted)).toEqual([undefined, undefined, undefined]);
		const made = await stores().other.sessions.find(session.hash);
		expect(made && toSessionEnd(made, now)).toBe(0);
		const next = await other().add(makeKey().record);
		expect(next.id).toBeGreaterThan(last.id);
	});
});
