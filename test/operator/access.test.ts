import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { readCookie } from "../../src/auth/sessions.ts";
import { requireSafeTransport, toSite } from "../../src/auth/site.ts";
import { generateToken } from "../../src/domain/access/secret.ts";
import type { Petstore } from "../../src/petstore.ts";
import { makeTls } from "../harness/certificate.ts";
import { makeKey } from "../harness/key.ts";
import { temporaryFolder } from "../harness/temporary.ts";
import { expectError } from "../service.ts";
import {
	call,
	cookieOf,
	currentPath,
	makeLink,
	makeSession,
	openQuietly,
	ownPage,
	sessionsPath,
	signIn,
} from "./calls.ts";

const keysPath = "/operator/v1/keys";
const shop = "https://shop.example";
const local = "http://localhost:8080";

const secure =
	/^__Host-petstore=[\w-]{43}; Path=\/; Secure; HttpOnly; SameSite=Strict$/;

type Headers = Readonly<Record<string, string>>;

describe("Where people can sign in", () => {
	const plain = toSite(false, undefined);
	const plainBase = toSite(false, "http://shop.example");
	const proxied = toSite(false, `${shop}/pets`);
	const tls = toSite(true, undefined);

	test("requires TLS or a loopback address to sign in", () => {
		for (const [site, host, origin, isTls] of [
			[plain, "localhost:8080", local, false],
			[plain, "[::1]:1", "http://[::1]:1", false],
			[plain, "localhost", null, false],
			[plain, "shop.example", null, undefined],
			[plain, "localhost.x.test", null, undefined],
			// A proxy that rewrites Host.
			[plain, "127.0.0.1:8080", shop, undefined],
			[plainBase, "shop.example", null, undefined],
			[proxied, "shop.example", shop, true],
			[proxied, "127.0.0.1", shop, true],
			[proxied, "localhost:8080", local, true],
			// Past the proxy.
			[proxied, "x.test", "http://x.test", undefined],
			[tls, "shop.example:8443", `${shop}:8443`, true],
		] as const) {
			const headers = {
				Host: host,
				...(origin !== null && { Origin: origin }),
			};
			const request = new Request("http://x.test", { headers });
			const ask = () => requireSafeTransport(request, site);
			if (isTls === undefined) expect(ask).toThrow(/needs HTTPS: .*--base-url/);
			else expect([host, ask()]).toEqual([host, { isTls }]);
		}
	});

	test.each([
		[tls, "x.test", "__Host-petstore=a; petstore=b", "a"],
		[proxied, "x.test", "petstore=b", undefined],
		[proxied, "127.0.0.1:8080", "petstore=b; __Host-petstore=a", "a"],
		[plain, "localhost", "__Host-petstore=a; petstore=b", "b"],
		[plain, "localhost", "xpetstore=a; petstore2=b", undefined],
		[plain, "localhost", "z=1;\u00a0petstore=a", undefined],
		[plain, "localhost", "petstore=a; petstore=b", undefined],
	] as const)("at %j and %s reads %s as %s", (site, Host, Cookie, token) => {
		const request = new Request("http://x.test", { headers: { Host, Cookie } });
		expect(readCookie(request, site)?.token).toBe(token);
	});

	test("sets a cookie for TLS only with its own certificate, and accepts requests of its own pages", async () => {
		using folder = temporaryFolder();
		const tls = makeTls(folder.path);
		const petstore = await openQuietly({
			database: "sqlite::memory:",
			address: { host: "127.0.0.1", port: 0, tls },
		});
		const send = (path: string, body: object, headers = {}) =>
			fetch(petstore.url + path, {
				method: "POST",
				body: JSON.stringify(body),
				headers: { Origin: petstore.url, ...headers },
				tls: { ca: tls.cert },
			});
		const reply = await send(sessionsPath, await makeLink(petstore.store));
		expect(reply.headers.get("Set-Cookie")).toMatch(secure);
		const made = await send(keysPath, { name: "x" }, cookieOf(reply));
		expect(made.status).toBe(201);
		await petstore.stop();
	});
});

describe("Requests of other sites", () => {
	test("behind a proxy with TLS lets people sign in only there, and accepts changes only from its pages, even if it sends a local Host", async () => {
		const petstore = await openQuietly({
			database: "sqlite::memory:",
			document: { baseUrl: shop },
		});
		const link = await makeLink(petstore.store);
		const other = { Host: "10.0.0.1:8080", Origin: "http://10.0.0.1:8080" };
		const refused = await signIn(petstore.fetch, link, other);
		expect(refused.headers.has("Set-Cookie")).toBe(false);
		await expectError(refused, "forbidden");
		const sent = { Host: "shop.example", Origin: shop };
		const reply = await signIn(petstore.fetch, link, sent);
		expect(reply.headers.get("Set-Cookie")).toMatch(secure);
		const { Cookie } = cookieOf(reply);
		for (const [Origin, cookie, status] of [
			[shop, Cookie, 201],
			[shop, Cookie.replace("__Host-", ""), 401],
			["http://127.0.0.1:80", Cookie, 403],
			["https://127.0.0.1:80", Cookie, 403],
		] as const) {
			const made = await call(petstore.fetch, keysPath, {
				method: "POST",
				body: { name: "x" },
				headers: { Host: "127.0.0.1:80", Origin, Cookie: cookie },
			});
			expect(made.status).toBe(status);
		}
		await petstore.stop();
	});

	let petstore: Petstore;
	let cookie: { Cookie: string };
	beforeAll(async () => {
		petstore = await openQuietly({ database: "sqlite::memory:" });
		cookie = await makeSession(petstore.store);
	});
	afterAll(() => petstore.stop());

	test.each<[string, Headers, isOwn: boolean]>([
		["our own page", ownPage, true],
		["an older browser, our own page", { Origin: local }, true],
		["a request without both headers", {}, false],
		["a page of another site", { "Sec-Fetch-Site": "cross-site" }, false],
		["a page of a subdomain", { "Sec-Fetch-Site": "same-site" }, false],
		["a request of no page", { "Sec-Fetch-Site": "none" }, false],
		[
			"another site that claims the Origin",
			{ "Sec-Fetch-Site": "cross-site", Origin: local },
			false,
		],
		[
			"an older browser, another site",
			{ Origin: "https://evil.example" },
			false,
		],
		["an older browser, a hidden page", { Origin: "null" }, false],
		["an Origin that begins like ours", { Origin: `${local}.x` }, false],
	])("accepts and refuses changes by %s", async (_from, sent, isOwn) => {
		const headers = { Host: "localhost:8080", ...cookie, ...sent };
		const ask = (path: string, method: string, body?: object) =>
			call(petstore.fetch, path, { method, body, headers });
		const before = await petstore.store.keys.list();
		const changed = await ask(keysPath, "POST", { name: "x" });
		if (isOwn) return expect(changed.status).toBe(201);
		const link = await makeLink(petstore.store);
		for (const reply of [
			changed,
			await ask(sessionsPath, "POST", link),
			await ask(currentPath, "DELETE"),
			await ask(`${keysPath}/1`, "DELETE"),
		]) {
			expect(reply.headers.has("Set-Cookie")).toBe(false);
			await expectError(reply, "forbidden");
		}
		expect(await petstore.store.keys.list()).toEqual(before);
		expect((await ask(keysPath, "GET")).status).toBe(200);
	});
});

describe("Guessing", () => {
	test("answers 429 after 10 guesses, even with the reason, but signs in with a valid key or link, and a session goes on", async () => {
		const petstore = await openQuietly({ database: "sqlite::memory:" });
		const { fetch: answer, store } = petstore;
		for (let count = 0; count < 11; count++)
			await expectError(await signIn(answer, {}), "invalid_body");
		const headers = await makeSession(petstore.store);
		const { key, record } = makeKey({ scope: "operator" });
		await store.keys.add(record);
		const reader = makeKey({ scope: "read" });
		await store.keys.add(reader.record);
		const expectSignIn = async () => {
			for (const credential of [{ key }, await makeLink(store)])
				expect((await signIn(answer, credential)).status).toBe(204);
		};
		// More than 10, which do not count.
		for (let count = 0; count < 6; count++) await expectSignIn();
		for (let count = 0; count < 5; count++)
			for (const [guess, code] of [
				[{ key: reader.key }, "forbidden"],
				[{ link: generateToken().token }, "unauthenticated"],
			] as const) {
				const reply = await signIn(answer, guess);
				expect(reply.headers.has("Set-Cookie")).toBe(false);
				await expectError(reply, code);
			}
		for (const guess of [{ link: "x" }, { key: "x" }]) {
			const reply = await signIn(answer, guess);
			expect(Number(reply.headers.get("Retry-After"))).toBeGreaterThan(0);
			await expectError(reply, "rate_limited");
		}
		await expectSignIn();
		const listed = await call(answer, keysPath, { headers });
		expect(listed.status).toBe(200);
		await petstore.stop();
	});
});
