// Pages as HTTP replies: which clients get them, their headers, encodings and caching.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { gunzipSync } from "node:zlib";
import { buildPages } from "../../build/pages.ts";
import { readAssets } from "../../src/web/assets.ts";
import { temporaryFolder } from "../harness/temporary.ts";
import { expectError, openService, type Service } from "../service.ts";

let service: Service;
beforeAll(async () => {
	await buildPages();
	service = await openService("in process");
});
afterAll(() => service.close());

const browser =
	"text/html,application/xhtml+xml,application/xml;q=0.9,image/webp,*/*;q=0.8";

function get(
	path: string,
	headers: Record<string, string> = {},
	method = "GET",
): Promise<Response> {
	return service.send(new Request(service.url + path, { method, headers }));
}

/** The paths of the files that a page loads. */
async function filesOf(path: string): Promise<string[]> {
	const text = await (await get(path, { Accept: browser })).text();
	const named = text.matchAll(/(?:href|src)="((?:\.\.\/)?assets\/[^"]+)"/g);
	const page = new URL(path, service.url);
	return [...named].map(([, file = ""]) => new URL(file, page).pathname);
}

test("has the address of the listener before its script runs, whatever the Host", async () => {
	await using own = await openService("over a socket");
	for (const Host of ["shop.example", "a shop.example", '"><shop.example>'])
		for (const path of ["/", "/docs", "/docs/operator"]) {
			const headers = { Accept: browser, Host };
			const text = await (await fetch(own.url + path, { headers })).text();
			expect(text).toContain(`<span data-base>${own.url}</span>`);
			expect(text).not.toMatch(/shop\.example|:8080/);
		}
});

test("`/` is a page for a browser, and JSON for other clients", async () => {
	for (const Accept of ["*/*", "application/json"])
		expect(await (await get("/", { Accept })).json()).toMatchObject({
			service: "petstore",
			pets: "/v1/pets",
		});
	for (const Accept of ["text/html", browser]) {
		const page = await get("/", { Accept });
		expect(page.headers.get("Content-Type")).toBe("text/html; charset=utf-8");
		expect(await page.text()).toStartWith("<!doctype html>");
	}
});

test("an unknown path is a page for a browser, which finds its files, and JSON for other clients", async () => {
	for (const path of ["/pets", "/a/b/c", "/docs/nothing"]) {
		const page = await get(path, { Accept: browser });
		expect(page.status).toBe(404);
		expect(page.headers.get("Content-Security-Policy")).toContain("'none'");
		const text = await page.text();
		const [, link = ""] = /href="([^"]*\.\/)"/.exec(text) ?? [];
		expect(new URL(link, service.url + path).pathname).toBe("/");
		const [, style = ""] = /href="([^"]+\.css)"/.exec(text) ?? [];
		const file = new URL(style, service.url + path).pathname;
		expect((await get(file)).status).toBe(200);
		for (const [accept, method] of [
			["*/*", "GET"],
			[browser, "POST"],
		] as const) {
			const reply = await get(path, { Accept: accept }, method);
			expect(reply.headers.get("Vary")).toBe("Accept");
			await expectError(reply, "not_found");
		}
	}
	const deep = await get("/a".repeat(5_000), { Accept: browser });
	await expectError(deep, "not_found");
});

describe("Headers of pages", () => {
	test.each(["/", "/docs", "/docs/operator", "/console"])(
		"%s forbids content from elsewhere, inline scripts and frames",
		async (path) => {
			const page = await get(path, { Accept: browser });
			const { headers } = page;
			const policy = headers.get("Content-Security-Policy") ?? "";
			expect(policy.split("; ")).toEqual([
				"default-src 'none'",
				"script-src 'self'",
				"style-src 'self'",
				"img-src 'self'",
				"connect-src 'self'",
				"base-uri 'none'",
				"form-action 'none'",
				"frame-ancestors 'none'",
			]);
			expect(headers.get("X-Content-Type-Options")).toBe("nosniff");
			expect(headers.get("Referrer-Policy")).toBe("no-referrer");
			expect(
				[...headers.keys()].filter((name) => /^access-/.test(name)),
			).toEqual([]);
			expect(await page.text()).not.toMatch(
				/<script(?![^>]* src=)|<style|\sstyle=|\son\w+=/,
			);
		},
	);
});

describe("Caching of pages", () => {
	test.each([
		["identity", undefined],
		["gzip", "gzip"],
		["br, gzip;q=0.5", "gzip"],
		["deflate, GZIP ; q=1.000", "gzip"],
		["*", "gzip"],
		["gzip;q=0", undefined],
		["gzip ; q=0.0, *", undefined],
		["notgzip", undefined],
	])("answers Accept-Encoding %p with %p", async (accepted, encoding) => {
		const plain = await (await get("/docs")).text();
		const response = await get("/docs", { "Accept-Encoding": accepted });
		const { headers } = response;
		expect(headers.get("Content-Encoding") ?? undefined).toBe(encoding);
		expect(headers.get("Vary")).toBe("Accept, Accept-Encoding");
		const bytes = await response.bytes();
		const text = encoding === "gzip" ? gunzipSync(bytes) : bytes;
		expect(Buffer.from(text).toString()).toBe(plain);
	});

	test("answers 304 to the ETag of a page, which differs between encodings", async () => {
		const tags = new Set<string>();
		for (const encoding of ["identity", "gzip"]) {
			const asked = { Accept: browser, "Accept-Encoding": encoding };
			const { headers } = await get("/", asked);
			expect(headers.get("Cache-Control")).toBe("no-cache");
			const tag = headers.get("ETag") ?? "";
			tags.add(tag);
			const again = await get("/", { ...asked, "If-None-Match": tag });
			expect([again.status, await again.text()]).toEqual([304, ""]);
			expect(again.headers.get("ETag")).toBe(tag);
		}
		expect(tags.size).toBe(2);
	});

	test("marks a file as immutable, because its name contains the hash of its content, and protects it as a page", async () => {
		const files = await filesOf("/docs");
		expect(files.length).toBe(4);
		for (const file of files) {
			expect(file).toMatch(/^\/assets\/\w+\.[0-9a-f]{16}\.(js|css|svg)$/);
			const response = await get(file);
			expect(response.headers.get("Cache-Control")).toBe(
				"public, max-age=31536000, immutable",
			);
			const { headers } = response;
			expect(headers.get("Content-Security-Policy")).toContain(
				"default-src 'none'",
			);
			expect(headers.get("X-Content-Type-Options")).toBe("nosniff");
			expect(headers.has("Access-Control-Allow-Origin")).toBe(false);
			const tag = headers.get("ETag") ?? "";
			expect((await get(file, { "If-None-Match": tag })).status).toBe(304);
		}
	});
	test("answers 404 for an unknown file, and does not let it be cached", async () => {
		const [file = ""] = await filesOf("/docs");
		const other = file.replace(/[0-9a-f]{16}/, "0123456789abcdef");
		const response = await get(other);
		expect(response.status).toBe(404);
		expect(response.headers.get("Cache-Control")).toBe("no-cache");
		expect(await response.json()).toMatchObject({ code: "not_found" });
	});
});

describe("Pages that are not built", () => {
	test("say what to run", async () => {
		using folder = temporaryFolder();
		await expect(readAssets(`${folder.path}/none/`)).rejects.toMatchObject({
			code: "unavailable",
			message: expect.stringContaining("npm run build"),
		});
	});
});
