// How the console looks and behaves in each state: accessible, within the screen, by keyboard alone, without a connection, empty.
import {
	afterAll,
	afterEach,
	beforeAll,
	describe,
	expect,
	test,
} from "bun:test";
import { basename } from "node:path";
import type { Page } from "playwright-core";
import { buildPages } from "../../../build/pages.ts";
import { openBrowser } from "../../../harness/browser.ts";
import { makeKey } from "../../../harness/key.ts";
import { silentLog } from "../../../harness/log.ts";
import { temporaryFolder } from "../../../harness/temporary.ts";
import { makeBackup } from "../../../src/backups/make.ts";
import { openPetstore, type Petstore } from "../../../src/petstore.ts";
import { defaultKey } from "../../../src/sandbox/access.ts";
import { defaultStart } from "../../../src/sandbox/demo-animals.ts";
import { maxLookedAutomatically } from "../../../src/web/console/catalogue/list.ts";
import { decision } from "../../service.ts";
import { accessibilityTimeoutMs, expectAccessible } from "../accessible.ts";
import { createVisits, type Visits } from "./visit.ts";

const browser = await openBrowser();
if (browser !== undefined) await buildPages();
afterAll(() => browser?.close());

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
			/** Of the replies that refuse something on the way. */
			statuses?: readonly number[];
		}
	>
> = {
	"the catalogue": {
		hash: "",
		async reach(page) {
			await page.getByLabel("Select all loaded animals").check();
			await page.getByText("12 selected").waitFor();
			await page.getByRole("button", { name: "Remove " }).first().click();
			await page.getByText("Removing").waitFor();
		},
	},
	"the form of an animal": {
		hash: "",
		async reach(page) {
			await page.getByRole("button", { name: "Edit" }).first().click();
			await page.getByLabel("Name", { exact: true }).waitFor();
		},
	},
	"the keys": {
		hash: "#keys",
		reach: (page) =>
			page.getByRole("button", { name: "Revoke" }).first().waitFor(),
	},
	"a key": {
		hash: "#keys/1",
		reach: (page) => page.getByText("No calls in the last 30 days").waitFor(),
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
	"rotating a key": {
		hash: "#keys",
		async reach(page) {
			await page.getByRole("button", { name: "Rotate" }).first().click();
			await page.getByRole("button", { name: "Make a new secret" }).waitFor();
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
			await page.getByRole("button", { name: "Edit" }).first().click();
			const dialog = page.getByRole("dialog");
			await page.evaluate(async () => {
				const address = "/operator/v1/pets";
				const found = await (await fetch(`${address}?limit=1`)).json();
				await fetch(`${address}/${found.pets[0].id}`, {
					method: "PATCH",
					headers: { "Content-Type": "application/merge-patch+json" },
					body: JSON.stringify({ name: `Theirs ${Math.random()}` }),
				});
			});
			await dialog.getByLabel("Name").fill("Mine");
			await page.getByRole("button", { name: "Save" }).click();
			await page.getByText("Changed by somebody else").waitFor();
		},
		statuses: [412],
	},
	"the traffic": {
		hash: "#traffic",
		async reach(page) {
			await page.locator("figure").first().getByText("Figures").click();
			await page.getByRole("heading", { name: "By key" }).waitFor();
		},
	},
	"the status": {
		hash: "#status",
		reach: (page) => page.getByText("Schema").waitFor(),
	},
};

describe.skipIf(browser === undefined)("the console of a sandbox", () => {
	let service: Petstore;
	let visits: Visits;
	beforeAll(async () => {
		service = await openPetstore({
			database: "sqlite::memory:",
			sandbox: { ...defaultStart, pets: 12 },
			log: { to: silentLog },
		});
		if (browser !== undefined)
			visits = await createVisits(browser, service, defaultKey);
		await service.store.keys.add(makeKey().record);
		for (const path of ["/v1/pets", "/v1/pets/1"])
			await fetch(service.url + path, {
				headers: { Authorization: `Bearer ${defaultKey}` },
			});
	});
	afterAll(() => service.stop());
	afterEach(() => visits.end());

	describe.each(["light", "dark", "phone"] as const)("%s", (look) => {
		test.each(Object.entries(states))(
			"%s is accessible, and nothing is wider than the screen",
			async (_name, { hash, reach, statuses = [] }) => {
				const page = await visits.open(hash, looks[look]);
				await reach(page);
				visits.expectStatuses(...statuses);
				await expectAccessible(page, look);
			},
			accessibilityTimeoutMs,
		);

		test("signing in is accessible, and nothing is wider than the screen", async () => {
			const page = await visits.openSignedOut("", looks[look]);
			await page.getByRole("heading", { name: "Sign in" }).waitFor();
			await expectAccessible(page, look);
		});
	});

	test("the form has its key", async () => {
		const page = await visits.openSignedOut();
		expect(await page.getByLabel("API key").inputValue()).toBe(defaultKey);
		await page.getByText(`The key ${defaultKey} is valid here.`).waitFor();
	});

	test("an animal is sold and edited with the keyboard alone", async () => {
		const page = await visits.open();
		await page.getByRole("row").nth(5).waitFor();
		await page.getByLabel("Search by name").focus();
		await reach(page, '.pets [aria-pressed="true"]');
		const status = page.locator(".pets .choice").first();
		const wanted =
			(await status
				.locator('[aria-pressed="true"]')
				.getAttribute("data-value")) === "sold"
				? "available"
				: "sold";
		while (!(await status.locator(`[data-value=${wanted}]:focus`).count()))
			await page.keyboard.press("ArrowRight");
		await page.keyboard.press("Enter");
		await page.getByText(`is ${wanted}.`).waitFor();
		await page.keyboard.press("Tab");
		await reach(page, ".pets .actions button");
		await page.keyboard.press("Enter");
		await page.getByRole("dialog").waitFor();
		await page.keyboard.press("Escape");
		await page.getByRole("dialog").waitFor({ state: "detached" });
		// The focus is back where it was.
		expect(
			await page.locator(".pets .actions button").first().evaluate(hasFocus),
		).toBe(true);
	});

	test("a removal by keyboard moves the focus to Undo", async () => {
		const page = await visits.open();
		const row = page.locator(".pets tbody tr").nth(2);
		// Not innerText, which is empty until the row was on the screen.
		const name = await row.locator(".name").textContent();
		const remove = row.getByRole("button", { name: "Remove" });
		await remove.focus();
		await page.keyboard.press("Enter");
		const undo = page.getByRole("button", { name: "Undo" });
		await undo.waitFor();
		expect(await undo.evaluate(hasFocus)).toBe(true);
		await page.keyboard.press("Enter");
		await undo.waitFor({ state: "detached" });
		expect(await row.locator(".name").textContent()).toBe(name);
		const heading = page.getByRole("heading", { name: "Catalogue" });
		expect(await heading.evaluate(hasFocus)).toBe(true);
	});

	test("a chosen view gets the focus, and the back button works", async () => {
		const page = await visits.open();
		await page.getByRole("link", { name: "Keys" }).click();
		const heading = page.getByRole("heading", { name: "Keys", exact: true });
		await heading.waitFor();
		expect(await heading.evaluate(hasFocus)).toBe(true);
		expect(await page.title()).toBe("Keys · petstore");
		await page.goBack();
		await page.getByRole("heading", { name: "Catalogue" }).waitFor();
	});

	decision("The console without a service", () => {
		test("says “No connection”, and continues when the service answers", async () => {
			const page = await visits.open();
			await page.getByRole("row").nth(5).waitFor();
			await page.context().setOffline(true);
			await page.getByRole("link", { name: "Status" }).click();
			await page.getByText("No connection.").waitFor();
			await page.context().setOffline(false);
			await page.getByRole("button", { name: "Try now" }).click();
			await page.getByText("Schema").waitFor();
			await page.getByText("No connection.").waitFor({ state: "detached" });
			visits.expectNoReplies();
		});

		test("says why the service is unavailable, and continues when it is available", async () => {
			const page = await visits.open();
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
			visits.expectStatuses(503);
		});

		test("a form that was not sent keeps its input", async () => {
			const page = await visits.open();
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
			visits.expectNoReplies();
		});
	});
});

describe.skipIf(browser === undefined)("the console of another sandbox", () => {
	async function onSandbox(
		animals: number,
		run: (page: Page, service: Petstore) => Promise<void>,
		backups?: string,
	): Promise<void> {
		const service = await openPetstore({
			database: "sqlite::memory:",
			sandbox: { ...defaultStart, pets: animals },
			log: { to: silentLog },
			backups,
		});
		if (browser === undefined) return;
		const visits = await createVisits(browser, service, defaultKey);
		await run(await visits.open(), service);
		await visits.end();
		await service.stop();
	}

	test("a catalogue without animals says what to do", () =>
		onSandbox(0, async (page) => {
			await page.getByText("No animals yet").waitFor();
			await page.getByRole("button", { name: "Add the first animal" }).click();
			await page.getByLabel("Name", { exact: true }).fill("First");
			await page.getByRole("dialog").getByLabel("Category").fill("1");
			await page.keyboard.press("Enter");
			await page.getByRole("row").filter({ hasText: "First" }).waitFor();
		}));

	test("a search that finds no animal shows its progress, and asks before it continues", () =>
		onSandbox(maxLookedAutomatically + 10_000, async (page) => {
			await page.getByRole("row").nth(5).waitFor();
			await page.getByLabel("Search by name").fill("no such name");
			const further = page.getByRole("button", { name: "Keep searching" });
			await further.waitFor({ timeout: 15_000 });
			const said = await page.locator(".further").innerText();
			const [, looked = ""] = /^Searched ([\d,]+) animals\./.exec(said) ?? [];
			expect(Number(looked.replace(",", ""))).toBeGreaterThanOrEqual(
				maxLookedAutomatically,
			);
			await further.click();
			await page.getByText("No animal matches this search.").waitFor();
		}));

	test("an export has only the animals that match the filter", () =>
		onSandbox(100, async (page) => {
			await page.getByLabel("Search by name").fill("jean-noël");
			await page.locator('.export a[href*="name="]').first().waitFor();
			const csv = await download(page, "Export as CSV");
			expect(csv.name).toBe("pets.csv");
			const [head, ...lines] = csv.text.trimEnd().split("\r\n");
			expect(head).toBe("id,name,categoryId,status");
			expect(lines).not.toEqual([]);
			for (const line of lines) expect(line).toContain("Jean-Noël d'Artagnan");
			const { text } = await download(page, "Export as NDJSON");
			expect(text.trimEnd().split("\n").length).toBe(lines.length);
		}));

	test("backups are listed and downloaded", async () => {
		const folder = temporaryFolder();
		const backups = `${folder.path}/backups`;
		await onSandbox(
			3,
			async (page, { store }) => {
				await page.getByRole("link", { name: "Status" }).click();
				await page.getByText("The folder has no backups yet.").waitFor();
				const place = { folder: backups };
				const { path } = await makeBackup(store.archive.read(), place);
				const name = basename(path);
				await page.reload();
				const file = await download(page, `Download ${name}`);
				expect(file.name).toBe(name);
				expect(file.text).toStartWith("SQLite format 3");
			},
			backups,
		);
		folder.remove();
	});
});

async function download(
	page: Page,
	link: string,
): Promise<{ name: string; text: string }> {
	const downloading = page.waitForEvent("download");
	await page.getByRole("link", { name: link }).click();
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
