// The home page and the reference in a real browser: reading, trying operations out, the keyboard, a phone.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { basename } from "node:path";
import type { Locator, Page } from "playwright-core";
import { makeBackup } from "../../src/backups/make.ts";
import { temporaryFolder } from "../harness/temporary.ts";
import { add, idOf, openService, type Service } from "../service.ts";
import { describeInBrowser, hasFocus, looks, tabTo } from "./visit.ts";

await describeInBrowser(({ visit, expectStatuses, expectNoReplies }) => {
	let service: Service;
	let key: string;
	const folder = temporaryFolder();
	beforeAll(async () => {
		service = await openService("over a socket", {
			backups: { folder: folder.path },
		});
		key = await service.makeKey();
	});
	afterAll(async () => {
		await service.close();
		folder.remove();
	});

	const open = (path: string, options = {}) =>
		visit(service.url + path, options);

	/** Sends the form of an operation, and returns the text of the exchange. */
	async function send(page: Page, operationId: string): Promise<string> {
		const operation = page.locator(`#${operationId}`);
		await operation
			.locator(".outcome")
			.evaluate((element) => element.replaceChildren());
		await operation.getByRole("button", { name: "Send" }).click();
		await operation.locator(".outcome > *").first().waitFor();
		return operation.locator(".exchange").innerText();
	}

	test("/ shows a first request, and links to the reference", async () => {
		const page = await open("/");
		await page.getByRole("button", { name: "Copy" }).nth(1).waitFor();
		expect(await page.locator("pre").allInnerTexts()).toEqual([
			`curl -H "Authorization: Bearer $KEY" ${service.url}/v1/pets`,
			`curl -H "Authorization: Bearer $KEY" -H "Content-Type: application/json" -d '{"name": "Rex", "categoryId": 1}' ${service.url}/v1/pets`,
		]);
		await page.getByText("Ready", { exact: true }).waitFor();
		await page.getByRole("link", { name: "Reference", exact: true }).click();
		await page.getByRole("heading", { name: "Pet Store 1.0.0" }).waitFor();
		expect(page.url()).toBe(`${service.url}/docs`);
		await page.route("**/readyz", (route) => route.fulfill({ status: 503 }));
		await page.goBack();
		await page.getByText("Not ready").waitFor();
		expectStatuses(503);
	});

	describe("Trying an operation out", () => {
		test("adds an animal, and reads it back with all its digits", async () => {
			const page = await open("/docs");
			await page.getByLabel("API key").fill(key);
			const body = '{ "name": "Rex <b>", "categoryId": 9007199254740993 }';
			await page.locator("#createPet").getByLabel("Body").fill(body);
			const added = await send(page, "createPet");
			expect(added).toMatch(/^201\nCreated\n\d+ ms, \d+ bytes\n/);
			expect(added).toContain('"categoryId": 9007199254740993,');
			expect(added).toContain('"name": "Rex <b>"');
			const [, id = ""] = /location: \/v1\/pets\/(\d+)/.exec(added) ?? [];
			expect(added).toContain(
				`POST /v1/pets\nAuthorization: Bearer ${key.slice(0, 8)}…\nContent-Type: application/json\n\n${body}`,
			);

			await page.locator("#getPet").getByLabel("petId").fill(id);
			const gotten = await send(page, "getPet");
			expect(gotten).toContain('"categoryId": 9007199254740993,');
			expect(gotten).toContain("sunset: Thu, 05 Dec 2030 00:00:00 GMT");
			expect(await send(page, "listPets")).toContain(
				'"categoryId": 9007199254740993,',
			);
		});

		test("shows a CSV unchanged, and only the size of a binary file", async () => {
			const page = await open("/docs/operator");
			const operatorKey = await service.makeKey({ scope: "operator" });
			await page.getByLabel("API key").fill(operatorKey);
			await page
				.locator("#exportPets")
				.getByLabel("format")
				.selectOption("csv");
			expect(await send(page, "exportPets")).toContain(
				"\nid,name,categoryId,status",
			);
			const place = { folder: folder.path };
			const { path } = await makeBackup(service.store.archive.read, place);
			const download = page.locator("#downloadBackup");
			await download.getByLabel("name").fill(basename(path));
			const shown = await send(page, "downloadBackup");
			expect(shown).toMatch(/, [\d,]+ bytes\n/);
			expect(shown).toContain("The body is a file and is not shown.");
		});
	});

	test("stores the key of a reader for the tab only, and keeps it after a reload", async () => {
		const page = await open("/docs");
		await page.getByLabel("API key").fill(key);
		await page.reload();
		expect(await page.getByLabel("API key").inputValue()).toBe(key);
		const stored = await page.evaluate(() => [
			localStorage.length,
			document.cookie,
			sessionStorage.length,
		]);
		expect(stored).toEqual([0, "", 1]);
		expect(await page.context().cookies()).toEqual([]);
		const other = await page.context().newPage();
		await other.goto(`${service.url}/docs`);
		expect(await other.getByLabel("API key").inputValue()).toBe("");
	});

	test("shows errors unchanged", async () => {
		const page = await open("/docs");
		const without = await send(page, "listPets");
		expect(without).toStartWith("401");
		expect(without).toContain('"code": "unauthenticated"');
		await page.locator("#listPets").getByText("with no API key").waitFor();

		await page.getByLabel("API key").fill("ключ");
		expect(await send(page, "listPets")).toContain("No reply. TypeError");
		await page.getByLabel("API key").fill("wrong");
		expect(await send(page, "listPets")).toContain("The API key is not valid.");

		await page.getByLabel("API key").fill(key);
		await page.locator("#createPet").getByLabel("Body").fill('{"name":5}');
		expect(await send(page, "createPet")).toContain('"status": 400');

		expectStatuses(401, 401, 400);

		await page.context().setOffline(true);
		expect(await send(page, "listPets")).toContain("No reply.");
		expectNoReplies();
	});

	test("works with the keyboard alone", async () => {
		const page = await open("/docs");
		await tabTo(page, ".skip");
		await tabTo(page, "#key");
		await page.keyboard.type(key);
		await tabTo(page, "#listPets [value=curl]");
		await page.keyboard.press("ArrowRight");
		// The choice holds for all operations.
		await page.locator("#createPet").getByText("await fetch").waitFor();
		const body = '{"name":"Rex","categoryId":1,"status":"sold"}';
		const first = idOf(await add(service, body));
		const second = idOf(await add(service, body));
		await tabTo(page, "#listPets-limit");
		await page.keyboard.type("1");
		await tabTo(page, "#listPets-status");
		await page.keyboard.type("s");
		await page.keyboard.press("Control+Enter");
		const reply = page.locator("#listPets .blocks");
		await reply.getByText(`"id": ${second}`).waitFor();
		await tabTo(page, "#listPets .next");
		await page.keyboard.press("Enter");
		await reply.getByText(`"id": ${first}`).waitFor();
		await page.locator("#listPets .snippets").getByText("cursor=").waitFor();
		// The last page has no next one.
		expect(await page.locator("#listPets .next").count()).toBe(0);
		const again = page.locator("#listPets .send button");
		expect(await again.evaluate(hasFocus)).toBe(true);
	});

	describe("The reference", () => {
		test("can be read without its script", async () => {
			const page = await open("/docs", {
				...looks.phone,
				javaScriptEnabled: false,
			});
			expect(await page.locator("#createPet .snippets").innerText()).toBe(
				`curl ${service.url}/v1/pets \\\n  -H "Authorization: Bearer $KEY" \\\n  -H "Content-Type: application/json" \\\n  -d '{"name":"Rex","categoryId":1}'`,
			);
			await page
				.locator("#getPet")
				.getByText("not_found", { exact: true })
				.waitFor();
			await page.getByRole("button", { name: "Menu" }).click();
			await page.getByRole("link", { name: "Pet Store for operators" }).click();
			await page.locator("#findPets").waitFor();
		});

		test("marks the current section in the navigation, and keeps the mark in view", async () => {
			const page = await open("/docs/operator");
			const current = page.locator(".side [aria-current=true]");
			expect(await current.innerText()).toBe("Introduction");
			for (const id of ["findPets", "revokeKey", "headers", "errors"]) {
				await page
					.locator(`#${id}`)
					.evaluate((section) => section.scrollIntoView());
				await page
					.locator(`.side a[href="#${id}"][aria-current=true]`)
					.waitFor();
				expect(await isInView(current)).toBe(true);
			}
			expect(await current.count()).toBe(1);
		});

		test("has its navigation in a menu on a phone", async () => {
			const page = await open("/docs", looks.phone);
			const menu = page.getByRole("button", { name: "Menu" });
			const link = page.getByRole("link", { name: "POST createPet" });
			expect(await page.getByRole("heading", { level: 1 }).isVisible()).toBe(
				true,
			);
			expect(await link.isVisible()).toBe(false);
			await menu.click();
			await link.click();
			expect(await link.isVisible()).toBe(false);
			expect(await isInView(page.locator("#createPet h2"))).toBe(true);
			await menu.click();
			expect(await isInView(link)).toBe(true);
			await page.keyboard.press("Escape");
			expect(await link.isVisible()).toBe(false);
		});
	});

	test("snippets contain the values of the form, and the whole key only when copied", async () => {
		const page = await open("/docs");
		await page
			.context()
			.grantPermissions(["clipboard-read", "clipboard-write"]);
		const copied = () => page.evaluate(() => navigator.clipboard.readText());
		const add = page.locator("#createPet");
		const code = add.locator(".snippets pre");
		expect(await code.innerText()).toContain("Bearer $KEY");
		await page.getByLabel("API key").fill(key);
		const body = '{ "name": "Rex", "categoryId": 9007199254740993 }';
		await add.getByLabel("Body").fill(body);
		await add.getByLabel("Idempotency-Key").fill('a"b');
		const toCurl = (shownKey: string) =>
			`curl ${service.url}/v1/pets \\\n  -H "Authorization: Bearer ${shownKey}" \\\n  -H "Idempotency-Key: a\\"b" \\\n  -H "Content-Type: application/json" \\\n  -d '{"name":"Rex","categoryId":9007199254740993}'`;
		expect(await code.innerText()).toBe(toCurl(`${key.slice(0, 8)}…`));
		await add.getByRole("button", { name: "Copy" }).click();
		await add.getByRole("button", { name: "Copied" }).waitFor();
		expect(await copied()).toBe(toCurl(key));
		expect(await page.content()).not.toContain(key);

		await add.getByText("Python", { exact: true }).click();
		expect(await code.innerText()).toContain(
			`data='{"name":"Rex","categoryId":9007199254740993}'.encode()`,
		);
		const list = page.locator("#listPets");
		await list.getByLabel("status").selectOption("sold");
		expect(await list.locator(".snippets pre").innerText()).toContain(
			"/v1/pets?status=sold",
		);
	});
});

async function isInView(part: Locator): Promise<boolean> {
	return part.evaluate((element) => {
		const { top, bottom } = element.getBoundingClientRect();
		return top >= 0 && bottom <= innerHeight;
	});
}
