// Sessions: signing in by key and by link, and the end of a session.
import { describe, expect, test } from "bun:test";
import {
	generateKey,
	generateToken,
	hashSecret,
} from "../../src/domain/access/secret.ts";
import { keyUseIntervalMs, sessionIdleMs } from "../../src/limits.ts";
import {
	type Session,
	sessionLifetimeMs,
	toSessionEnd,
} from "../../src/store/access/sessions.ts";
import { makeKey } from "../harness/key.ts";
import { expectError } from "../service.ts";
import {
	call,
	cookieOf,
	currentPath,
	makeLink,
	makeSession,
	onTwoProcesses,
	openQuietly,
	ownPage,
	signIn,
} from "./calls.ts";

const keysPath = "/operator/v1/keys";
const signedOut = { signedIn: false };

describe("Sessions", () => {
	onTwoProcesses((processes) => {
		const store = () => processes().service.store;
		/** The status of a request with the cookie, on both processes. */
		const statuses = async (headers: { Cookie: string }) => {
			const { service, other } = processes();
			const replies = [service.send, other.fetch].map((answer) =>
				call(answer, keysPath, { headers }),
			);
			return (await Promise.all(replies)).map(({ status }) => status);
		};
		const current = async (headers: { Cookie: string }) => {
			const reply = await call(processes().other.fetch, currentPath, {
				headers,
			});
			expect(reply.status).toBe(200);
			return reply.json();
		};
		test("signs in by key, sets the cookie, and accepts the session in every process until a second after the key is revoked", async () => {
			const { key, record } = makeKey({ name: "Ada", scope: "operator" });
			const { id } = await store().keys.add(record);
			const reply = await signIn(processes().service.send, { key });
			expect([reply.status, await reply.text()]).toEqual([204, ""]);
			expect(reply.headers.get("Set-Cookie")).toMatch(
				/^petstore=[\w-]{43}; Path=\/; HttpOnly; SameSite=Strict$/,
			);
			expect(reply.headers.get("Cache-Control")).toBe("no-store");
			expect(reply.headers.has("Access-Control-Allow-Origin")).toBe(false);
			const cookie = cookieOf(reply);
			expect(await statuses(cookie)).toEqual([200, 200]);
			const { expiresAt, ...rest } = await current(cookie);
			expect(rest).toEqual({ signedIn: true, key: { id, name: "Ada" } });
			const left = Date.parse(expiresAt) - Date.now();
			expect(left).toBeGreaterThan(sessionIdleMs - 60_000);
			expect(left).toBeLessThanOrEqual(sessionIdleMs);
			await store().keys.revoke(id, Date.now());
			await Bun.sleep(900);
			expect(await statuses(cookie)).toEqual([401, 401]);
			expect(await current(cookie)).toEqual(signedOut);
		});

		test("signs in by link only once", async () => {
			const link = await makeLink(store());
			const reply = await signIn(processes().service.send, link);
			expect(reply.status).toBe(204);
			const cookie = cookieOf(reply);
			expect(await statuses(cookie)).toEqual([200, 200]);
			expect(await current(cookie)).toEqual({
				signedIn: true,
				expiresAt: expect.any(String),
			});
			const again = await signIn(processes().other.fetch, link);
			await expectError(again, "unauthenticated");
			expect(again.headers.has("Set-Cookie")).toBe(false);
		});

		test("signs in neither with an expired link nor with a key of another scope", async () => {
			const { service, other } = processes();
			const expired = await makeLink(store(), Date.now());
			for (const body of [expired, { link: "" }, { key: generateKey().key }])
				await expectError(await signIn(other.fetch, body), "unauthenticated");
			for (const scope of ["read", "read-write", "metrics"] as const) {
				const key = await service.makeKey({ scope });
				const refused = await signIn(service.send, { key });
				const words = RegExp(
					`scope is ${scope}\\b.*petstore keys create --scope operator `,
				);
				await expectError(refused, "forbidden", words);
			}
		});

		test("sets another cookie at a sign-in, ends the old session, and accepts no cookie that it did not make", async () => {
			const planted = await makeSession(store());
			expect(await statuses(planted)).toEqual([200, 200]);
			const unknown = { Cookie: `petstore=${generateToken().token}` };
			expect(await statuses(unknown)).toEqual([401, 401]);
			for (const before of [planted, unknown]) {
				const link = await makeLink(store());
				const reply = await signIn(processes().other.fetch, link, before);
				expect(cookieOf(reply)).not.toEqual(before);
				expect(await current(before)).toEqual(signedOut);
				expect(await statuses(cookieOf(reply))).toEqual([200, 200]);
			}
			await Bun.sleep(600);
			for (const before of [planted, unknown])
				expect(await statuses(before)).toEqual([401, 401]);
		});

		test("ends a session at a sign-out, at once in its process and within a second in others, and clears the cookie", async () => {
			const [cookie, another] = [
				await makeSession(store()),
				await makeSession(store()),
			];
			expect(await statuses(cookie)).toEqual([200, 200]);
			const { other } = processes();
			const headers = { ...ownPage, ...cookie };
			const signOut = () =>
				call(other.fetch, currentPath, { method: "DELETE", headers });
			const reply = await signOut();
			expect([reply.status, reply.headers.get("Set-Cookie")]).toEqual([
				204,
				"petstore=; Path=/; HttpOnly; SameSite=Strict; Max-Age=0",
			]);
			expect(await current(cookie)).toEqual(signedOut);
			expect((await statuses(cookie))[1]).toBe(401);
			await Bun.sleep(600);
			expect(await statuses(cookie)).toEqual([401, 401]);
			expect((await signOut()).status).toBe(204);
			expect(await statuses(another)).toEqual([200, 200]);
		});

		test("records no use of a session for readSession, and one for a request right after it", async () => {
			const createdAt = Date.now() - 2 * keyUseIntervalMs;
			const cookie = await makeSession(store(), { createdAt });
			const hash = hashSecret(cookie.Cookie.slice("petstore=".length));
			const lastUse = async () =>
				(await store().sessions.find(hash))?.lastUsedAt ?? 0;
			await current(cookie);
			await Bun.sleep(100);
			expect(await lastUse()).toBe(createdAt);
			await current(cookie);
			await call(processes().other.fetch, keysPath, { headers: cookie });
			// Without a record of the use the test times out.
			while ((await lastUse()) === createdAt) await Bun.sleep(5);
		});

		test("authenticates by the key in Authorization, not by the cookie beside it, and under /v1 by no cookie", async () => {
			const { service, key } = processes();
			const headers = await makeSession(store());
			const unknown = { Cookie: "petstore=x" };
			for (const [path, options, status] of [
				[keysPath, { key: "wrong", headers }, 401],
				[keysPath, { key, headers: unknown }, 200],
				[keysPath, { headers: unknown }, 401],
				["/v1/pets", { headers }, 401],
			] as const) {
				const reply = await call(service.send, path, options);
				expect(reply.status).toBe(status);
				expect(reply.headers.has("WWW-Authenticate")).toBe(status === 401);
			}
		});
	});

	const key = {
		...makeKey({ scope: "operator" }).record,
		id: 1,
		revokedAt: undefined,
		lastUsedAt: undefined,
		deprecatedUseAt: undefined,
	};
	const session: Session = {
		hash: "x",
		keyHash: "y",
		key,
		createdAt: 1_000,
		lastUsedAt: 2_000,
	};
	test.each<[string, Partial<Session>, number]>([
		["is idle", {}, 2_000 + sessionIdleMs],
		["is old", { createdAt: 3_005 - sessionLifetimeMs }, 3_005],
		["was made by a link", { keyHash: undefined, key: undefined }, 43_202_000],
		["has a key that was deleted", { key: undefined }, 0],
		["has a revoked key", { key: { ...key, revokedAt: 1 } }, 0],
		["has a key of another scope", { key: { ...key, scope: "read" } }, 0],
		["has a key that expires", { key: { ...key, expiresAt: 5 } }, 5],
		["was made later than now", { createdAt: 63_001 }, 0],
		["was used later than now", { lastUsedAt: 63_001 }, 0],
	])("ends a session that %s", (_what, changed, end) => {
		expect(toSessionEnd({ ...session, ...changed }, 3_000)).toBe(end);
	});
});

test("says who is signed in with a 200, with or without a session, and 403 to a page of another site", async () => {
	const petstore = await openQuietly({ database: "sqlite::memory:" });
	const cookie = await makeSession(petstore.store);
	for (const [headers, signedIn] of [
		[{}, false],
		[{ Cookie: "petstore=x" }, false],
		[{ ...cookie, Authorization: "Bearer x" }, true],
		[{ ...cookie, "Sec-Fetch-Site": "none" }, true],
		[{ ...cookie, Host: "x.test" }, false],
	] as const) {
		const reply = await call(petstore.fetch, currentPath, { headers });
		expect(reply.headers.get("Cache-Control")).toBe("no-store");
		expect([reply.status, await reply.json()]).toMatchObject([
			200,
			{ signedIn },
		]);
	}
	for (const from of ["cross-site", "same-site"]) {
		const headers = { ...cookie, "Sec-Fetch-Site": from };
		const reply = await call(petstore.fetch, currentPath, { headers });
		await expectError(reply, "forbidden");
	}
	await petstore.stop();
});
