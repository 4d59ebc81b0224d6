// Authentication: which keys are valid, and the reply to a caller without one.
import { describe, expect, test } from "bun:test";
import { createKeyAuthentication } from "../../src/auth/keys.ts";
import { isKey } from "../../src/domain/access/secret.ts";
import { openStore } from "../../src/store/store.ts";
import { makeKey } from "../harness/key.ts";
import { expectError, openService } from "../service.ts";

describe("Keys", () => {
	test("makes keys in the form that secret scanners look for, with a checksum that detects any wrong character", () => {
		const { key } = makeKey();
		expect(key).toMatch(/^pet_[0-9A-Za-z]{38}$/);
		expect(isKey(key)).toBe(true);
		for (let place = 0; place < key.length; place++) {
			const other = key[place] === "x" ? "y" : "x";
			const mistyped = key.slice(0, place) + other + key.slice(place + 1);
			expect(isKey(mistyped)).toBe(false);
		}
		// CRC-32 of the first 36 characters is 2856710439, which is 37KSsp in base 62.
		expect(isKey(`pet_${"0".repeat(32)}37KSsp`)).toBe(true);
	});
});

describe("Life", () => {
	const open = async (options: { expiresAt?: number } = {}) => {
		const store = await openStore("sqlite::memory:", { access: "create" });
		const { key, record } = makeKey({
			name: "x",
			scope: "read",
			expiresAt: options.expiresAt,
		});
		const { id } = await store.keys.add(record);
		let time = 0;
		const { authenticate } = createKeyAuthentication({
			keys: store.keys,
			fixedKeys: [],
			report: () => {},
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
		return { store, id, ask, lastUse };
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
	await using service = await openService("in process", { apiKey: known });
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
});
