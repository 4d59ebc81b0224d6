// Authentication: which keys are valid, and the reply to a caller without one.
import { Database } from "bun:sqlite";
import { describe, expect, test } from "bun:test";
import { createAuthenticate, createIdentify } from "../../src/auth/key-auth.ts";
import { isKey } from "../../src/domain/api-key.ts";
import { openStore } from "../../src/store/open.ts";
import { makeKey } from "../harness/key.ts";
import { temporaryDatabase } from "../harness/temporary.ts";
import { expectError, onEachService, type Service } from "../service.ts";

const newPet = '{"name":"Rex","categoryId":1}';
const plainChallenge = 'Bearer realm="petstore"';
const tokenChallenge = 'Bearer realm="petstore", error="invalid_token"';

onEachService((service) => {
	describe("Order", () => {
		test.each([
			["GET", "/v1/pets"],
			["GET", "/v1/pets?limit=0"],
			["HEAD", "/v1/pets"],
			["POST", "/v1/pets"],
			["DELETE", "/v1/pets"],
			["GET", "/v1/pets/1"],
			["GET", "/v1/pets/abc"],
			["GET", "/v1/nothing"],
			["PUT", "/v1"],
			["GET", "/v1/"],
		])("answers 401 to %s %s without a key", async (method, path) => {
			const response = await service().call(path, {
				method,
				authorization: null,
			});
			expect(response.status).toBe(401);
			expect(response.headers.get("WWW-Authenticate")).toBe(plainChallenge);
			expect(response.headers.has("Deprecation")).toBe(false);
			if (method !== "HEAD")
				await expectError(response, "unauthenticated", /Bearer/);
		});
		test("answers 401 without a key, whatever the body", async () => {
			const response = await service().call("/v1/pets", {
				method: "POST",
				authorization: null,
				headers: { "Content-Type": "text/plain" },
				body: "x".repeat(100_000),
			});
			await expectError(response, "unauthenticated");
		});
	});

	describe("Scheme", () => {
		test.each(["Bearer ", "bearer ", "BEARER ", "bEaReR    "])(
			"accepts the scheme %j",
			async (scheme) => {
				const key = await service().makeKey();
				expect((await list(service(), scheme + key)).status).toBe(200);
			},
		);
		test.each([
			["", "%"],
			["Basic ", "%"],
			["Token ", "%"],
			["Bearer", "%"],
			["Bearer\t", "%"],
			["Bearer: ", "%"],
			["Bearer ", "% %"],
			["Bearer ", "%, Bearer %"],
			["Bearer ", "%,%"],
			["Bearer ", '"%"'],
			["Bearer ", "%\u00e9"],
		])(
			"refuses the scheme %j with the credentials %j",
			async (scheme, credentials) => {
				const key = await service().makeKey();
				const response = await list(
					service(),
					scheme + credentials.replaceAll("%", key),
				);
				await expectError(response, "unauthenticated");
			},
		);
	});

	describe("Challenge", () => {
		test("names the realm in a 401, and an error if a key was sent", async () => {
			for (const [authorization, challenge] of [
				[null, plainChallenge],
				["Basic dXNlcjpwYXNz", plainChallenge],
				["Bearer wrong", tokenChallenge],
				[`Bearer ${newKey()}`, tokenChallenge],
			] as const) {
				const response = await list(service(), authorization);
				expect(response.headers.get("WWW-Authenticate")).toBe(challenge);
				await expectError(response, "unauthenticated");
			}
		});
	});

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
		test("1,000 new keys are all different", () => {
			const keys = Array.from({ length: 1_000 }, newKey);
			expect(new Set(keys).size).toBe(1_000);
		});
		test("answers 401 to a well-formed key that was never created", async () => {
			const response = await list(service(), `Bearer ${newKey()}`);
			await expectError(response, "unauthenticated", /not valid/);
		});
	});

	describe("Life", () => {
		test("answers 401 within a second after the key is revoked", async () => {
			const key = await service().makeKey();
			expect((await list(service(), `Bearer ${key}`)).status).toBe(200);
			const { id = 0 } = (await service().store.keys.list()).at(-1) ?? {};
			await service().store.keys.revoke(id, Date.now());
			await Bun.sleep(1_000);
			const response = await list(service(), `Bearer ${key}`);
			expect(response.headers.get("WWW-Authenticate")).toBe(tokenChallenge);
			await expectError(response, "unauthenticated", /revoked/);
		});
		test("records the last use of a key", async () => {
			const before = Date.now();
			const key = await service().makeKey();
			await list(service(), `Bearer ${key}`);
			const lastUse = async () =>
				(await service().store.keys.list()).at(-1)?.lastUsedAt;
			// The reply does not wait for this write.
			while ((await lastUse()) === undefined) await Bun.sleep(5);
			expect(await lastUse()).toBeWithin(before, Date.now() + 1);
		});
	});

	describe("Scope", () => {
		test("lets a read key list animals, and answers 403 when it adds one", async () => {
			const authorization = `Bearer ${await service().makeKey({ scope: "read" })}`;
			expect((await list(service(), authorization)).status).toBe(200);
			const before = await (await list(service(), authorization)).text();
			await expectError(
				await service().call("/v1/pets", {
					method: "POST",
					authorization,
					body: newPet,
				}),
				"forbidden",
				/scope read-write; its scope is read/,
			);
			expect(await (await list(service(), authorization)).text()).toBe(before);
		});
	});
});

describe("Life", () => {
	const open = async (
		options: { expiresAt?: number; databaseUrl?: string } = {},
	) => {
		const { databaseUrl = "sqlite::memory:" } = options;
		const store = await openStore(databaseUrl, { create: true });
		const { key, record } = makeKey({
			name: "x",
			scope: "read",
			expiresAt: options.expiresAt,
		});
		const { id } = await store.keys.add(record);
		let time = 0;
		let unrecorded = 0;
		const identify = createIdentify({
			keys: store.keys,
			fixedKeys: [],
			onUnrecordedUse: () => unrecorded++,
			clock: () => time,
		});
		const authenticate = createAuthenticate(identify);
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

describe("A known key", () => {
	const known = "a,chosen~key!of-25-chars";
	onEachService(
		(service) => {
			test("accepts PETSTORE_API_KEY for reads and adds, beside the stored keys", async () => {
				const added = await service().call("/v1/pets", {
					method: "POST",
					authorization: `Bearer ${known}`,
					body: newPet,
				});
				expect(added.status).toBe(201);
				expect((await service().call("/v1/pets")).status).toBe(200);
			});
			test.each([
				known.slice(1),
				known.slice(0, -1),
				`${known}x`,
				known.toUpperCase(),
			])(
				"answers 401 to %s, which is similar to PETSTORE_API_KEY",
				async (other) => {
					const response = await list(service(), `Bearer ${other}`);
					await expectError(response, "unauthenticated", /not valid/);
				},
			);
		},
		{ apiKey: known },
	);

	const mistyped = `pet_${"0".repeat(38)}`;
	onEachService(
		(service) => {
			test("accepts PETSTORE_API_KEY without a checksum, even in the form of a stored key", async () => {
				expect(isKey(mistyped)).toBe(false);
				expect((await list(service(), `Bearer ${mistyped}`)).status).toBe(200);
			});
		},
		{ apiKey: mistyped },
	);
});

function list(
	{ call }: Service,
	authorization: string | null,
): Promise<Response> {
	return call("/v1/pets", { authorization });
}

function newKey(): string {
	return makeKey({ name: "x", scope: "read", expiresAt: undefined }).key;
}
