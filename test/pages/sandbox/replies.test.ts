// The page of the sandbox as an HTTP reply: who gets it, its headers, and what all pages show of the sandbox and its key.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { buildPages } from "../../../build/pages.ts";
import { openPetstore, type Petstore } from "../../../src/petstore.ts";
import {
	createSandbox,
	type SandboxOptions,
} from "../../../src/sandbox/sandbox.ts";
import { silentLog } from "../../harness/log.ts";
import { openService } from "../../service.ts";

let sandbox: Petstore;
let secret: Petstore;
beforeAll(async () => {
	await buildPages();
	sandbox = await open({});
	secret = await open({ allowHosts: ["petstore"], key: "s3cret" });
});
afterAll(async () => {
	await sandbox.stop();
	await secret.stop();
});

function open(options: Partial<SandboxOptions>): Promise<Petstore> {
	return openPetstore({
		database: "sqlite::memory:",
		sandbox: { pets: 3, seed: 1, ...options },
		log: { to: silentLog },
	});
}

function get(
	{ url }: Petstore,
	path: string,
	headers: Record<string, string> = {},
): Promise<Response> {
	return fetch(url + path, { headers: { Accept: "text/html", ...headers } });
}

test("shows the key of the sandbox in the reference, and no command that makes another", async () => {
	for (const path of ["/docs", "/docs/operator"]) {
		const text = await (await get(sandbox, path)).text();
		expect(text).not.toContain("petstore keys create");
		expect(text).toContain("Authorization: Bearer sandbox");
	}
});

describe("The page of the sandbox", () => {
	test("has the policy of the console", async () => {
		const name = "Content-Security-Policy";
		const [page, console] = await Promise.all(
			["/sandbox", "/console"].map((path) => get(sandbox, path)),
		);
		expect(page?.headers.get(name)).toBe(console?.headers.get(name) ?? "none");
	});

	test("is served without a key, but nothing else", async () => {
		expect((await get(secret, "/sandbox", { Host: "petstore" })).status).toBe(
			200,
		);
		for (const path of ["faults", "requests", "animals", "nothing"])
			expect((await get(secret, `/sandbox/${path}`)).status).toBe(401);
	});

	test("is linked from the home page of a sandbox, and answers 404 on other services", async () => {
		const home = await (await get(sandbox, "/")).text();
		expect(home).toContain('href="sandbox"');
		await using service = await openService("in process");
		const send = (path: string) =>
			service.send(
				new Request(service.url + path, { headers: { Accept: "text/html" } }),
			);
		expect(await (await send("/")).text()).not.toContain('href="sandbox"');
		expect((await send("/sandbox")).status).toBe(404);
	});

	test("links to no page for operators if they have an address of their own", async () => {
		const petstore = await openPetstore({
			database: "sqlite::memory:",
			sandbox: { pets: 0, seed: 0 },
			operatorAddress: { host: "127.0.0.1", port: 0 },
			log: { to: silentLog },
		});
		for (const path of ["/", "/docs", "/sandbox"]) {
			const text = await (await get(petstore, path)).text();
			expect([
				path,
				/href="(\.\.\/)?console|docs\/operator/.test(text),
			]).toEqual([...[path, false]]);
		}
		await petstore.stop();
	});
});

describe("The key of the sandbox in pages", () => {
	test("shows a secret key of the sandbox on no page", async () => {
		for (const path of ["/", "/docs", "/console", "/sandbox"])
			expect(await (await get(secret, path)).text()).not.toContain("s3cret");
	});
	test("shows the well-known default key even to other hosts", () => {
		const options = { pets: 0, seed: 0, allowHosts: ["petstore"] };
		const { page } = createSandbox(options, { host: "127.0.0.1", port: 0 });
		expect(page).toMatchObject({ shownKey: "sandbox" });
	});
});

describe("Recorded requests", () => {
	test("does not record what the page itself requests", async () => {
		await fetch(`${sandbox.url}/sandbox/requests`, { method: "DELETE" });
		const page = await (await get(sandbox, "/sandbox")).text();
		const [file = ""] = /assets\/sandbox[^"]+js/.exec(page) ?? [];
		expect((await get(sandbox, `/${file}`)).status).toBe(200);
		await get(sandbox, "/sandbox/animals");
		await get(sandbox, "/docs");
		const requests = await (await get(sandbox, "/sandbox/requests")).json();
		expect(requests).toMatchObject([{ path: "/docs" }]);
	});
});
