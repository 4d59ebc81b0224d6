// The console in each state: accessible, within the screen, by keyboard alone, without a connection, empty.
import { beforeAll, describe, expect, test } from "bun:test";
import { basename } from "node:path";
import type { Page } from "playwright-core";
import { makeBackup } from "../../../src/backups/make.ts";
import { defaultKey } from "../../../src/sandbox/access.ts";
import { makeKey } from "../../harness/key.ts";
import { accessibilityTimeoutMs, expectAccessible } from "../accessible.ts";
import { describeInSandbox } from "./engines.ts";
import { until } from "./visit.ts";

const looks = {
	light: { colorScheme: "light", viewport: { width: 1280, height: 800 } },
	dark: { colorScheme: "dark", viewport: { width: 1280, height: 800 } },
	phone: { colorScheme: "light", viewport: { width: 375, height: 760 } },
} as const;

const states: Readonly<
	Record<
		string,
		{
			hash: string;
			reach: (page: Page) => Promise<void>;
			/** The failed replies on the way to this state. */
			statuses?: readonly number[];
		}
	>
> = {
	"the catalogue with a selection": {
		hash: "",
		async reach(page) {
			await page.getByLabel("Select all animals that match").click();
			await page.getByText("selected").waitFor();
			// A row that the bar covers in part is too small a target.
			const { width = 0 } = page.viewportSize() ?? {};
			await page.setViewportSize({ width, height: 1400 });
		},
	},
	"a message with Undo": {
		hash: "",
		async reach(page) {
			const chip = page.locator(".pets .chip").nth(2);
			const isSold = (await chip.inputValue()) === "sold";
			await chip.selectOption(isSold ? "pending" : "sold");
			await page.getByRole("button", { name: "Undo" }).waitFor();
		},
	},
	"an animal that somebody else has removed": {
		hash: "",
		async reach(page) {
			await page.evaluate(async () => {
				const address = "/operator/v1/pets";
				const body = JSON.stringify({ name: "Gone", categoryId: 1 });
				const headers = { "Content-Type": "application/json" };
				const request = { method: "POST", headers, body };
				const added = await (await fetch(address, request)).json();
				Object.assign(globalThis, { address: `${address}/${added.id}` });
			});
			await page.getByText("Gone").hover();
			await page.evaluate('fetch(address, { method: "DELETE" })');
			await page.locator(".pets .removed").waitFor();
		},
	},
	"the keys of the catalogue": {
		hash: "",
		async reach(page) {
			await page.locator(".pets").waitFor();
			await page.keyboard.press("?");
			await page.getByRole("heading", { name: "Keys" }).waitFor();
		},
	},
	"the drawer of an animal": {
		hash: "",
		async reach(page) {
			await page.locator(".pets .name button").first().click();
			await page.getByRole("heading", { name: "History" }).waitFor();
		},
	},
	"a field that is wrong": {
		hash: "",
		async reach(page) {
			await page.getByRole("button", { name: "Add an animal" }).click();
			await page.getByRole("button", { name: "Add", exact: true }).click();
			const first = page.getByRole("dialog").getByLabel("Name");
			expect(await first.evaluate(hasFocus)).toBe(true);
			expect(await first.evaluate((own) => own.matches(":invalid"))).toBe(true);
		},
	},
	"a file with errors": {
		hash: "",
		async reach(page) {
			await page.getByRole("button", { name: "Import" }).click();
			const lines = Array(30).fill(`Rex,${"long".repeat(20)},gone`);
			await page.getByLabel("File").setInputFiles({
				name: "animals.csv",
				mimeType: "text/csv",
				buffer: Buffer.from(["name,categoryId,status", ...lines].join("\n")),
			});
			await page.getByText("The file has 60 errors.").waitFor();
		},
		statuses: [422],
	},
	"a file with ids": {
		hash: "",
		async reach(page) {
			await page.getByRole("button", { name: "Import" }).click();
			await page.getByLabel("File").setInputFiles({
				name: "animals.csv",
				mimeType: "text/csv",
				buffer: Buffer.from("id,name,categoryId\n1,Rex,1\n"),
			});
			await page.getByText("0 new, 1 changed").waitFor();
		},
		statuses: [400],
	},
	"the formats of an export": {
		hash: "",
		async reach(page) {
			await page.getByRole("button", { name: "Export" }).click();
			await page.getByRole("link", { name: "CSV for Excel" }).waitFor();
		},
	},
	"a search without a result": {
		hash: "#catalogue?search=no+such+name",
		reach: (page) => page.getByText("Nothing found").waitFor(),
	},
	"the keys": {
		hash: "#keys",
		reach: (page) =>
			page.getByRole("button", { name: "Revoke" }).first().waitFor(),
	},
	"making a key": {
		hash: "#keys",
		async reach(page) {
			await page.getByRole("button", { name: "Make a key" }).click();
			await page.getByLabel("Scope").waitFor();
		},
	},
	"the secret of a key": {
		hash: "#keys",
		async reach(page) {
			await page.getByRole("button", { name: "Make a key" }).click();
			await page.getByRole("dialog").getByLabel("Name").fill("shop");
			await page.getByRole("button", { name: "Make the key" }).click();
			await page.getByRole("button", { name: "I have copied it" }).waitFor();
		},
	},
	"revoking a key": {
		hash: "#keys",
		async reach(page) {
			await page.getByRole("button", { name: "Revoke" }).first().click();
			await page.getByRole("dialog").waitFor();
		},
	},
	"a change by somebody else": {
		hash: "",
		async reach(page) {
			await page.locator(".pets .name button").first().click();
			await page.locator(".drawer form").waitFor();
			const dialog = page.getByRole("dialog");
			await change(page, "PATCH");
			await dialog.getByLabel("Name").fill("Mine");
			await page.getByRole("button", { name: "Save" }).click();
			await page.getByText("Changed by somebody else").waitFor();
		},
		statuses: [412],
	},
	"the categories": {
		hash: "#categories",
		async reach(page) {
			await page.evaluate(() =>
				fetch("/operator/v1/categories/9223372036854775807", {
					method: "PUT",
					headers: { "Content-Type": "application/json" },
					body: JSON.stringify({ name: "Small mammals" }),
				}),
			);
			await page.reload();
			await page.getByRole("link", { name: "Small mammals" }).waitFor();
		},
	},
	"making a category": {
		hash: "#categories",
		async reach(page) {
			await page.getByRole("button", { name: "Make a category" }).click();
			await page.getByRole("button", { name: "Make", exact: true }).click();
		},
	},
	"a question about many animals": {
		hash: "",
		async reach(page) {
			await addMany(page, 30);
			await page.getByLabel("Select all animals that match").click();
			await page.getByRole("button", { name: "Remove", exact: true }).click();
			await page.getByText(/^Remove \d+ animals\?$/).waitFor();
		},
	},
	"a category to create": {
		hash: "",
		async reach(page) {
			await page.getByRole("button", { name: "Add an animal" }).click();
			await page.getByRole("dialog").getByLabel("Category").fill("Parrots");
			await page.getByRole("button", { name: "Create “" }).waitFor();
		},
	},
	"the history": {
		hash: "#history",
		async reach(page) {
			await change(page, "PATCH");
			await change(page, "DELETE");
			await page.reload();
			await page.getByRole("button", { name: "Undo" }).first().click();
			await page.getByText("Undone by").first().waitFor();
		},
	},
	"an edit of many animals": {
		hash: "#history",
		async reach(page) {
			await addMany(page, 3);
			await page.getByRole("link", { name: "imported 3" }).first().click();
			await page.getByRole("button", { name: "All changes" }).waitFor();
		},
	},
	"the status": {
		hash: "#status",
		reach: (page) => page.getByText("Schema").waitFor(),
	},
};

/** Somebody else changes or removes the newest animal. */
function change(page: Page, method: "PATCH" | "DELETE"): Promise<void> {
	return page.evaluate(async (method) => {
		const address = "/operator/v1/pets";
		const found = await (await fetch(`${address}?limit=1`)).json();
		const set = { name: `Theirs ${Math.random()}` };
		await fetch(`${address}/${found.pets[0].id}`, {
			method,
			headers: { "Content-Type": "application/merge-patch+json" },
			...(method === "PATCH" && { body: JSON.stringify(set) }),
		});
	}, method);
}

/** Imports animals. */
async function addMany(page: Page, count: number): Promise<void> {
	await page.evaluate(async (count) => {
		await fetch("/operator/v1/pets/import", {
			method: "POST",
			headers: { "Content-Type": "text/csv" },
			body: `name,categoryId\n${"Rex,1\n".repeat(count)}`,
		});
	}, count);
	await page.reload();
}

await describeInSandbox(12, (opened) => {
	beforeAll(async () => {
		const { store, url } = opened().service;
		await store.keys.add(makeKey().record);
		for (const path of ["/v1/pets", "/v1/pets/1"])
			await fetch(url + path, {
				headers: { Authorization: `Bearer ${defaultKey}` },
			});
	});

	describe.each(["light", "dark", "phone"] as const)("%s", (look) => {
		test.each(Object.entries(states))(
			"%s is accessible, and fits into the width of the screen",
			async (_name, { hash, reach, statuses = [] }) => {
				const page = await opened().visits.open(hash, looks[look]);
				await reach(page);
				opened().visits.expectStatuses(...statuses);
				await expectAccessible(page, look);
				if (look === "phone" && /^#(?!catalogue)/.test(hash))
					await expectTargets(page);
			},
			accessibilityTimeoutMs,
		);

		test("the sign-in is accessible, and fits into the width of the screen", async () => {
			const page = await opened().visits.openSignedOut("", looks[look]);
			await page.getByRole("heading", { name: "Sign in" }).waitFor();
			await expectAccessible(page, look);
		});
	});

	test("fits into the width of the screen at 200 % zoom and on the narrowest phone", async () => {
		for (const width of [640, 320]) {
			const page = await opened().visits.open("", {
				viewport: { width, height: 400 },
			});
			for (const hash of [
				...["catalogue", "categories", "history", "keys", "status"],
			]) {
				await page.goto(`${opened().service.url}/console#${hash}`);
				await page.waitForLoadState("networkidle");
				const wider = await page.evaluate(
					() => document.documentElement.scrollWidth - innerWidth,
				);
				expect(`${hash} ${width} ${wider}`).toBe(`${hash} ${width} 0`);
			}
		}
	});

	test("fills the key of the sandbox into the sign-in form", async () => {
		const page = await opened().visits.openSignedOut();
		expect(await page.getByLabel("API key").inputValue()).toBe(defaultKey);
		await page.getByText(`The key ${defaultKey} is valid here.`).waitFor();
	});

	test("changes a status and opens an animal with the keyboard alone", async () => {
		const page = await opened().visits.open();
		await page.getByRole("row").nth(5).waitFor();
		await page.keyboard.press("/");
		expect(
			await page.getByLabel("Search by name or id").evaluate(hasFocus),
		).toBe(true);
		await reach(page, ".pets .chip");
		const chip = page.locator(".pets .chip").first();
		const before = await chip.inputValue();
		await page.keyboard.press("Space");
		await page.keyboard.press(before === "sold" ? "ArrowUp" : "ArrowDown");
		await page.keyboard.press("Enter");
		await page.getByRole("button", { name: "Undo" }).waitFor();
		expect(await chip.inputValue()).not.toBe(before);
		expect(await chip.evaluate(hasFocus)).toBe(true);
		await page.keyboard.press("Shift+Tab");
		await page.keyboard.press("Enter");
		await page.locator(".drawer form").waitFor();
		await page.keyboard.press("Escape");
		await page.getByRole("dialog").waitFor({ state: "detached" });
		const names = page.locator(".pets .name button");
		expect(await names.nth(0).evaluate(hasFocus)).toBe(true);
		await page.keyboard.press("ArrowDown");
		expect(await names.nth(1).evaluate(hasFocus)).toBe(true);
		await page.keyboard.press("ArrowUp");
		expect(await names.nth(0).evaluate(hasFocus)).toBe(true);
	});

	test("moves the focus to Undo after a removal", async () => {
		const page = await opened().visits.open();
		const row = page.locator(".pets tbody tr").nth(2);
		const name = await row.locator(".name").textContent();
		await row.locator(".name button").click();
		await page.getByRole("button", { name: "Remove " }).click();
		const undo = page.getByRole("button", { name: "Undo" });
		await undo.waitFor();
		expect(await undo.evaluate(hasFocus)).toBe(true);
		await page.keyboard.press("Enter");
		await page.getByText("Undone: 1 animal.").waitFor();
		await until(
			async () => (await row.locator(".name").textContent()) === name,
		);
		const heading = page.getByRole("heading", { name: "Catalogue" });
		expect(await heading.evaluate(hasFocus)).toBe(true);
	});

	test("keeps the input at Escape", async () => {
		const page = await opened().visits.open();
		await page.getByLabel("Search by name or id").fill("e");
		await page.keyboard.press("Escape");
		expect(await page.getByLabel("Search by name or id").inputValue()).toBe(
			"e",
		);
		await page.getByRole("button", { name: "Add an animal" }).click();
		const dialog = page.getByRole("dialog");
		await dialog.getByLabel("Name").fill("Typed");
		page.once("dialog", (question) => void question.dismiss());
		await page.keyboard.press("Escape");
		expect(await dialog.getByLabel("Name").inputValue()).toBe("Typed");
		page.once("dialog", (question) => void question.accept());
		await page.keyboard.press("Escape");
		await dialog.waitFor({ state: "detached" });
	});

	test("focuses the chosen view, and goes back with the browser's button", async () => {
		const page = await opened().visits.open();
		await page.getByRole("link", { name: "Keys" }).click();
		const heading = page.getByRole("heading", { name: "Keys", exact: true });
		await heading.waitFor();
		expect(await heading.evaluate(hasFocus)).toBe(true);
		expect(await page.title()).toBe("Keys · petstore");
		await page.goBack();
		await page.getByRole("heading", { name: "Catalogue" }).waitFor();
	});

	describe("The console without a service", () => {
		test("says “No connection”, and continues when the service answers", async () => {
			const page = await opened().visits.open();
			await page.getByRole("row").nth(5).waitFor();
			await page.context().setOffline(true);
			await page.getByRole("link", { name: "Status" }).click();
			await page.getByText("No connection.").waitFor();
			await page.context().setOffline(false);
			await page.getByRole("button", { name: "Try now" }).click();
			await page.getByText("Schema").waitFor();
			await page.getByText("No connection.").waitFor({ state: "detached" });
			opened().visits.expectNoReplies();
		});

		test("says why the service is unavailable, and continues when it is available", async () => {
			const page = await opened().visits.open();
			await page.route("**/operator/v1/keys?*", (route) =>
				route.fulfill({
					status: 503,
					json: { code: "unavailable", message: "Later.", status: 503 },
				}),
			);
			await page.getByRole("link", { name: "Keys" }).click();
			await page.getByText("The service is unavailable. Later.").waitFor();
			await page.unroute("**/operator/v1/keys?*");
			await page.getByRole("button", { name: "Try now" }).click();
			await page.getByRole("button", { name: "Revoke" }).first().waitFor();
			// After a second the console repeats the request by itself.
			await opened().visits.takeStatuses(503);
		});

		test("keeps the input of a form that could not be sent", async () => {
			const page = await opened().visits.open();
			await page.getByRole("button", { name: "Add an animal" }).click();
			const dialog = page.getByRole("dialog");
			await dialog.getByLabel("Name").fill("Offline");
			await dialog.getByLabel("Category").fill("1");
			await page.context().setOffline(true);
			await page.getByRole("button", { name: "Add", exact: true }).click();
			await dialog.getByText("The service does not answer.").waitFor();
			await page.context().setOffline(false);
			await page.getByRole("button", { name: "Add", exact: true }).click();
			await page.getByRole("row").filter({ hasText: "Offline" }).waitFor();
			opened().visits.expectNoReplies();
		});
	});
});

await describeInSandbox(0, (opened) => {
	test("says what to do if the catalogue is empty", async () => {
		const page = await opened().visits.open();
		await page.getByText("No animals yet").waitFor();
		await page.getByRole("button", { name: "Add the first animal" }).click();
		await page.getByLabel("Name", { exact: true }).fill("First");
		await page.getByRole("dialog").getByLabel("Category").fill("1");
		await page.keyboard.press("Enter");
		await page.getByRole("row").filter({ hasText: "First" }).waitFor();
	});

	test("lists and downloads backups", async () => {
		const page = await opened().visits.open("#status");
		await page.getByText("There is none yet.").waitFor();
		const place = { folder: opened().folder };
		const { archive } = opened().service.store;
		const { path } = await makeBackup(archive.read, place);
		const name = basename(path);
		const file = await download(page, `Download ${name}`);
		expect(file.name).toBe(name);
		expect(file.text).toStartWith("SQLite format 3");
	});
});

await describeInSandbox(60_000, (opened) => {
	test("searches to the end, and exports only what matches", async () => {
		const page = await opened().visits.open();
		const search = page.getByLabel("Search by name or id");
		await page.getByRole("row").nth(5).waitFor();
		await search.fill("no such name");
		await page.getByText("No animal matches this search.").waitFor();
		await page.getByText("0 found", { exact: true }).waitFor();

		await search.fill("jean-noël");
		await page
			.locator('a[href*="name=jean"]')
			.first()
			.waitFor({ state: "attached" });
		const csv = await download(page, "CSV");
		expect(csv.name).toBe("pets.csv");
		const [head, ...lines] = csv.text.trimEnd().split("\r\n");
		expect(head).toStartWith("id,name,");
		expect(lines).not.toEqual([]);
		for (const line of lines) expect(line).toContain("Jean-Noël d'Artagnan");
		const { text } = await download(page, "NDJSON");
		expect(text.trimEnd().split("\n").length).toBe(lines.length);
	});
});

async function download(
	page: Page,
	link: string,
): Promise<{ name: string; text: string }> {
	const downloading = page.waitForEvent("download");
	const menu = page.getByRole("button", { name: "Export" });
	if (await menu.isVisible()) await menu.click();
	await page.getByRole("link", { name: link, exact: true }).click();
	const file = await downloading;
	const text = await Bun.file(await file.path()).text();
	return { name: file.suggestedFilename(), text };
}

/** Presses Tab until the element has the focus. */
async function reach(page: Page, selector: string): Promise<void> {
	for (let count = 0; count < 20; count++) {
		if (await page.locator(selector).first().evaluate(hasFocus)) return;
		await page.keyboard.press("Tab");
	}
	throw new Error(`Tab does not reach ${selector}.`);
}

function hasFocus(element: Element): boolean {
	return element === document.activeElement;
}

/** A finger needs a target 44 pixels high. */
async function expectTargets(page: Page): Promise<void> {
	const small = await page.evaluate(() =>
		[...document.querySelectorAll("a, button, input, select, summary")]
			.filter((target) => target.checkVisibility({ opacityProperty: true }))
			.map((target) => target.closest("label") ?? target)
			.filter((target) => target.getBoundingClientRect().height < 43.5)
			.map(({ outerHTML }) => outerHTML.slice(0, 120)),
	);
	expect(small).toEqual([]);
}
