// The API keys of a store: what every engine must do with them.
import { expect, test } from "bun:test";
import { makeKey } from "../../harness/key.ts";
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
		expect(await other().find(record.hash)).toEqual(stored);
		expect(await keys().list()).toContainEqual(stored);
		expect(await keys().find("unknown")).toBeUndefined();
	});

	test("lists keys in the order of their ids, which is the order of their creation", async () => {
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

	test("records the last use of a key at most once a minute, and never moves it back", async () => {
		const { record } = makeKey();
		const { id } = await keys().add(record);
		const start = Date.now();
		for (const [at, recorded] of [
			[start, start],
			[start + 59_999, start],
			[start - 120_000, start],
			[start + 60_000, start + 60_000],
		] as const) {
			await keys().recordUse(id, at);
			expect((await keys().find(record.hash))?.lastUsedAt).toBe(recorded);
		}
	});
});
