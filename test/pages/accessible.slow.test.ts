// Every page in each of its states: accessible by axe's rules, within the screen, and by keyboard alone.
import { describe, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import type { Page } from "playwright-core";
import { makeBackup } from "../../src/backups/make.ts";
import { defaultKey } from "../../src/sandbox/access.ts";
import { defaultStart } from "../../src/sandbox/demo-animals.ts";
import { root } from "../harness/process.ts";
import type { Service } from "../service.ts";
import { describeConsole } from "./console/visit.ts";
import { dialogOf, hasFocus, looks, press, tabTo } from "./visit.ts";

const axe = readFileSync(`${root}node_modules/axe-core/axe.min.js`, "utf8");

const allRules = [
	...["wcag2a", "wcag2aa", "wcag21a", "wcag21aa"],
	...["wcag22aa", "best-practice"],
];

/** Dark differs from light only by its colours. */
const rules = { light: allRules, dark: ["color-contrast"], phone: allRules };

const sandbox = { sandbox: { ...defaultStart, pets: 12 } };

/** On a busy machine axe needs many seconds, and `bun test` kills the browser when a test takes too long. */
const timeoutMs = 90_000;

const see = (page: Page, text: string | RegExp) =>
	page.getByText(text).first().waitFor();

const states: Readonly<
	Record<
		string,
		{
			/** By default the catalogue. */
			at?: string;
			reach: (page: Page, service: Service, folder: string) => Promise<void>;
			isSignedOut?: boolean;
			/** The failed replies on the way to this state. */
			statuses?: readonly number[];
		}
	>
> = {
	"the home page": {
		at: "/",
		reach: (page) => see(page, "The pet store, made real"),
	},
	"the reference with a reply": {
		at: "/docs",
		async reach(page) {
			await page.getByLabel("API key").fill(defaultKey);
			const operation = page.locator("#listPets");
			await operation.getByRole("button", { name: "Send" }).click();
			await operation.locator(".exchange").waitFor();
		},
	},
	"the reference for operators": {
		at: "/docs/operator",
		reach: (page) => page.locator("#findPets").waitFor(),
	},
	"the menu of the reference on a phone": {
		at: "/docs",
		async reach(page) {
			const menu = page.getByRole("button", { name: "Menu" });
			if (await menu.isVisible()) await menu.click();
		},
	},
	"the sandbox without requests": {
		at: "/sandbox",
		async reach(page, service) {
			await fetch(`${service.url}/sandbox/requests`, { method: "DELETE" });
			await see(page, "No requests yet");
		},
	},
	"the sandbox with requests and a fault": { at: "/sandbox", reach: addFaults },
	"the form of a fault": {
		at: "/sandbox",
		reach: (page) => press(page, "Add a fault"),
	},
	"the details of a request": {
		at: "/sandbox",
		async reach(page, service) {
			await addFaults(page, service);
			await page
				.locator(".requests tbody tr", { hasText: "POST" })
				.first()
				.locator("summary")
				.click();
			await page.locator(".exchanges [open] pre").first().waitFor();
		},
	},
	"the sign-in": {
		isSignedOut: true,
		reach: (page) => page.getByRole("heading", { name: "Sign in" }).waitFor(),
	},
	"the catalogue with a selection": {
		async reach(page) {
			await page.getByLabel("Select all animals that match").click();
			await see(page, "selected");
			// A row that the bar covers in part is too small a target.
			const { width = 0 } = page.viewportSize() ?? {};
			await page.setViewportSize({ width, height: 1400 });
		},
	},
	"a message with Undo": {
		async reach(page) {
			const chip = page.locator(".pets .chip").nth(2);
			const isSold = (await chip.inputValue()) === "sold";
			await chip.selectOption(isSold ? "pending" : "sold");
			await page.getByRole("button", { name: "Undo" }).waitFor();
		},
	},
	"the keys of the catalogue": {
		async reach(page) {
			await page.locator(".pets").waitFor();
			await page.keyboard.press("?");
			await page.getByRole("heading", { name: "Keyboard" }).waitFor();
		},
	},
	"the drawer of an animal": {
		async reach(page) {
			await page.locator(".pets .name button").first().click();
			await page.getByRole("heading", { name: "History" }).waitFor();
		},
	},
	"a field that is wrong": {
		async reach(page) {
			await press(page, "Add an animal");
			await press(page, "Add");
			const first = dialogOf(page).getByLabel("Name");
			expect(await first.evaluate(hasFocus)).toBe(true);
			expect(await first.evaluate((own) => own.matches(":invalid"))).toBe(true);
		},
	},
	"a file with errors": {
		async reach(page) {
			const line = `Rex,${"long".repeat(20)},gone\n`;
			await choose(page, `name,categoryId,status\n${line.repeat(30)}`);
			await see(page, "The file has 60 errors.");
		},
		statuses: [422],
	},
	"a file with ids": {
		async reach(page) {
			await choose(page, "id,name,categoryId\n1,Rex,1\n");
			await see(page, "0 new, 1 changed");
		},
		statuses: [400],
	},
	"the formats of an export": {
		async reach(page) {
			await press(page, "Export");
			await page.getByRole("link", { name: "CSV for Excel" }).waitFor();
		},
	},
	"a search without a result": {
		at: "/console#catalogue?search=no+such+name",
		reach: (page) => see(page, "Nothing found"),
	},
	"the keys": {
		at: "/console#keys",
		reach: (page) =>
			page.getByRole("button", { name: "Revoke" }).first().waitFor(),
	},
	"making a key": {
		at: "/console#keys",
		async reach(page) {
			await press(page, "Make a key");
			await page.getByLabel("Scope").waitFor();
		},
	},
	"the secret of a key": {
		at: "/console#keys",
		async reach(page) {
			await press(page, "Make a key");
			await dialogOf(page).getByLabel("Name").fill("shop");
			await press(page, "Make the key");
			await page.getByRole("button", { name: "I have copied it" }).waitFor();
		},
	},
	"revoking a key": {
		at: "/console#keys",
		async reach(page) {
			await page.getByRole("button", { name: "Revoke" }).first().click();
			await dialogOf(page).waitFor();
		},
	},
	"a change by somebody else": {
		async reach(page) {
			await page.locator(".pets .name button").first().click();
			await page.locator(".drawer form").waitFor();
			await change(page, "PATCH");
			await dialogOf(page).getByLabel("Name").fill("Mine");
			await press(page, "Save");
			await see(page, "Changed by somebody else");
		},
		statuses: [412],
	},
	"the categories": {
		at: "/console#categories",
		async reach(page) {
			await page.evaluate(() =>
				fetch("/operator/v1/categories/9223372036854775807", {
					method: "PUT",
					headers: { "Content-Type": "application/json" },
					body: JSON.stringify({ name: "Small mammals" }),
				}),
			);
			await page.getByRole("link", { name: "Small mammals" }).waitFor();
		},
	},
	"making a category": {
		at: "/console#categories",
		async reach(page) {
			await press(page, "Make a category");
			await press(page, "Make");
		},
	},
	"a question about many animals": {
		async reach(page) {
			await addMany(page, 30);
			await page.getByLabel("Select all animals that match").click();
			await press(page, "Remove");
			await see(page, /^Remove \d+ animals\?$/);
		},
	},
	"a category to create": {
		async reach(page) {
			await press(page, "Add an animal");
			await dialogOf(page).getByLabel("Category").fill("Owls");
			await page.getByRole("button", { name: "Create “" }).waitFor();
		},
	},
	"the history": {
		at: "/console#history",
		async reach(page) {
			await change(page, "PATCH");
			await change(page, "DELETE");
			await page.reload();
			await page.getByRole("button", { name: "Undo" }).first().click();
			await see(page, "Undone by");
		},
	},
	"an edit of many animals": {
		at: "/console#history",
		async reach(page) {
			await addMany(page, 3);
			await page.getByRole("link", { name: "imported 3" }).first().click();
			await page.getByRole("button", { name: "All changes" }).waitFor();
		},
	},
	"the status": {
		at: "/console#status",
		reach: (page) => see(page, "Schema"),
	},
	"restoring a backup": {
		at: "/console#status",
		async reach(page, service, folder) {
			await makeBackup(service.store.archive.read, { folder });
			await page.reload();
			await page
				.getByRole("button", { name: /^Restore / })
				.first()
				.click();
			await see(page, /^Its \d+ animals /);
		},
	},
};

/** Sends requests, of which one is delayed and gets a reply of its own. */
async function addFaults(page: Page, { url }: Service): Promise<void> {
	const send = (method: string, path: string, body?: string) =>
		fetch(url + path, {
			method,
			headers: { Authorization: `Bearer ${defaultKey}` },
			...(body && { body }),
		});
	const reply = { status: 503, body: "<h1>" };
	const faults = [
		{ operation: "createPet", times: "always", delay: 10, reply },
	];
	await send("PUT", "/sandbox/faults", JSON.stringify(faults));
	await send("POST", "/v1/pets", '{"name":"Rex"}');
	await send("GET", `/v1/pets?cursor=${"x".repeat(300)}`);
	await page.locator(".requests tbody tr").nth(1).waitFor();
	await page.getByRole("switch").waitFor();
}

async function choose(page: Page, text: string): Promise<void> {
	await press(page, "Import");
	await page.getByLabel("File").setInputFiles({
		name: "animals.csv",
		mimeType: "text/csv",
		buffer: Buffer.from(text),
	});
}

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

await describeConsole((opened) => {
	describe.each(["light", "dark", "phone"] as const)("%s", (look) => {
		test.each(Object.entries(states))(
			"%s is accessible, and fits into the width of the screen",
			async (_name, { at = "/console", reach, isSignedOut, statuses = [] }) => {
				const { visits, service, folder } = opened();
				const page = await (isSignedOut
					? visits.openSignedOut("", looks[look])
					: visits.openPage(at, looks[look]));
				await reach(page, service, folder);
				visits.expectStatuses(...statuses);
				await expectAccessible(page, look);
				if (look === "phone" && at.startsWith("/console#"))
					await expectTargets(page);
			},
			timeoutMs,
		);
	});

	test("fits into the width of the screen at 200 % zoom and on the narrowest phone", async () => {
		for (const width of [640, 320]) {
			const viewport = { width, height: 400 };
			const page = await opened().visits.open("", { viewport });
			for (const view of [
				...["catalogue", "categories", "history", "keys", "status"],
			]) {
				await page.goto(`${opened().service.url}/console#${view}`);
				await page.waitForLoadState("networkidle");
				const wider = await page.evaluate(
					() => document.documentElement.scrollWidth - innerWidth,
				);
				expect([view, width, wider]).toEqual([view, width, 0]);
			}
		}
	});

	test("changes a status, opens an animal with the keyboard alone, and focuses the heading of another view", async () => {
		const page = await opened().visits.open();
		await page.getByRole("row").nth(5).waitFor();
		await page.keyboard.press("/");
		const search = page.getByLabel("Search by name or id");
		expect(await search.evaluate(hasFocus)).toBe(true);
		await tabTo(page, ".pets .chip");
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
		await dialogOf(page).waitFor({ state: "detached" });
		const names = page.locator(".pets .name button");
		expect(await names.nth(0).evaluate(hasFocus)).toBe(true);
		await page.keyboard.press("/");
		await page.keyboard.press("ArrowDown");
		expect(await names.nth(0).evaluate(hasFocus)).toBe(true);
		await page.keyboard.press("ArrowDown");
		expect(await names.nth(1).evaluate(hasFocus)).toBe(true);
		await page.keyboard.press("ArrowUp");
		expect(await names.nth(0).evaluate(hasFocus)).toBe(true);

		await page.getByRole("link", { name: "Keys" }).click();
		const heading = page.getByRole("heading", { name: "Keys", exact: true });
		await heading.waitFor();
		expect(await heading.evaluate(hasFocus)).toBe(true);
		expect(await page.title()).toBe("Keys · petstore");
		await page.goBack();
		await page.getByRole("heading", { name: "Catalogue" }).waitFor();
	});
}, sandbox);

async function expectAccessible(
	page: Page,
	look: keyof typeof rules,
): Promise<void> {
	const widths = await page.evaluate(() => {
		const { scrollWidth, clientWidth } = document.documentElement;
		return [scrollWidth, clientWidth];
	});
	expect(widths[0]).toBe(widths[1]);
	// Through the debugger, because the page's policy forbids another script.
	await page.evaluate(axe);
	const found = await page.evaluate(
		`axe.run({ resultTypes: ["violations"], runOnly: ${JSON.stringify(rules[look])} }).then(({ violations }) => violations.map(({ id, nodes }) => [id, nodes.map(({ html }) => html)]))`,
	);
	expect(found).toEqual([]);
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
