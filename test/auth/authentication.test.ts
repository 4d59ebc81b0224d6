// Authentication: which keys are valid, and the reply to a caller without one.
import { Database } from "bun:sqlite";
import { describe, expect, test } from "bun:test";
import { createKeyAuthentication } from "../../src/auth/keys.ts";
import { isKey } from "../../src/domain/api-key.ts";
import { openStore } from "../../src/store/store.ts";
import { makeKey } from "../harness/key.ts";
import { temporaryDatabase } from "../harness/temporary.ts";
import { expectError, openService } from "../service.ts";

describe("Keys", () => {
	test("makes keys in the form that secret scanners look for, with a checksum that detects any wrong character", () => {
		const key = newKey();
		expect(key).toMatch(/^pet_[0-9A-Za-z]{38}$/);
		expect(isKey(key)).toBe(true);
		for (let place = 0; place < key.length; place++) {
			const other = key[place] === "x" ? "y" : "x";
			const mistyped = key.slice(0, place) + other + key.slice(place + 1);
			expect(isKey(mistyped)).toBe(false);
		}
	});
	test("the checksum of a key is its CRC-32 in base 62", () => {
		// CRC-32 of the first 36 characters is 2856710439, which is 37KSsp in base 62.
		expect(isKey(`pet_${"0".repeat(32)}37KSsp`)).toBe(true);
	});
});

describe("Life", () => {
	const open = async (
		options: { expiresAt?: number; databaseUrl?: string } = {},
	) => {
		const { databaseUrl = "sqlite::memory:" } = options;
		const store = await openStore(databaseUrl, { access: "create" });
		const { key, record } = makeKey({
			name: "x",
			scope: "read",
			expiresAt: options.expiresAt,
		});
		const { id } = await store.keys.add(record);
		let time = 0;
		let unrecorded = 0;
		const { authenticate } = createKeyAuthentication({
			keys: store.keys,
			fixedKeys: [],
			report: () => unrecorded++,
			clock: () => time,
		});
		const lastUse = async () =>
			(await store.keys.find(record.hash))?.lastUsedAt;
		const ask = async (now: number) => {
			time = now;
			return authenticate(
				new Request("http://petstore.test", {
					headers: { Authorization: `Bearer ${key}` },
				}),
				performance.now(),
			);
		};
		return { store, id, ask, lastUse, unrecorded: () => unrecorded };
	};

	test("refuses a key from the moment it expires", async () => {
		const { ask } = await open({ expiresAt: 1_000_000 });
		expect(await ask(999_999)).toMatchObject({ scope: "read" });
		await expect(ask(1_000_000)).rejects.toThrow("has expired");
	});

	test("refuses a revoked key even if the clock is set back", async () => {
		const { ask, store, id } = await open();
		const now = Date.now();
		await ask(now);
		await store.keys.revoke(id, now);
		await Bun.sleep(600);
		await expect(ask(now - 3_600_000)).rejects.toThrow("was revoked");
	});

	test("accepts a key if its last use cannot be written, and writes it after a minute", async () => {
		const { url, path, remove } = temporaryDatabase();
		const { ask, store, lastUse, unrecorded } = await open({
			databaseUrl: url,
		});
		const other = new Database(path);
		other.run("BEGIN IMMEDIATE");
		const now = Date.now();
		for (let lookup = 0; lookup < 4; lookup++) {
			await ask(now + lookup);
			// Longer than a key is cached, so that each round looks it up. Four rounds are longer than a write waits for a lock.
			await Bun.sleep(600);
		}
		while (unrecorded() === 0) await Bun.sleep(5);
		expect(unrecorded()).toBe(1);
		other.run("ROLLBACK");
		other.close();
		await ask(now + 60_000);
		while ((await lastUse()) !== now + 60_000) await Bun.sleep(5);
		expect(unrecorded()).toBe(1);
		await store.close();
		remove();
	});

	test("does not record the use of a refused key", async () => {
		const { ask, store, id, lastUse } = await open();
		await store.keys.revoke(id, 1);
		await expect(ask(Date.now())).rejects.toThrow("was revoked");
		expect(await lastUse()).toBeUndefined();
	});
});

test("accepts PETSTORE_API_KEY beside the stored keys, and nothing similar", async () => {
	// In the form of a stored key, without its checksum.
	const known = `pet_${"0".repeat(38)}`;
	const service = await openService("in process", { apiKey: known });
	const added = await service.call("/v1/pets", {
		method: "POST",
		authorization: `Bearer ${known}`,
		body: '{"name":"Rex","categoryId":1}',
	});
	expect(added.status).toBe(201);
	expect((await service.call("/v1/pets")).status).toBe(200);
	for (const other of [known.slice(0, -1), `${known}x`, known.toUpperCase()]) {
		const authorization = `Bearer ${other}`;
		const refused = await service.call("/v1/pets", { authorization });
		await expectError(refused, "unauthenticated");
	}
	await service.close();
});

function newKey(): string {
	return makeKey({ name: "x", scope: "read", expiresAt: undefined }).key;
}
