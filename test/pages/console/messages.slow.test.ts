// The console in unusual cases: an ended session, a failed search, names that are empty, equal or written from right to left.
import { describe, expect, test } from "bun:test";
import { renameSync, rmSync, writeFileSync } from "node:fs";
import type { Page } from "playwright-core";
import { makeKey } from "../../harness/key.ts";
import { toPet } from "../../harness/pet.ts";
import { describeInSandbox } from "./engines.ts";

await describeInSandbox(3, (opened) => {
	async function addPet(name: string): Promise<string> {
		const pet = toPet({ name });
		const added = await opened().service.store.catalogue.addPet({ pet });
		return added.outcome === "mismatch" ? "" : String(added.id);
	}

	test("says that the service cannot read the folder of backups", async () => {
		const page = await opened().visits.open();
		renameSync(opened().folder, `${opened().folder}.moved`);
		writeFileSync(opened().folder, "");
		await page.getByRole("link", { name: "Status" }).click();
		const failed = page.locator(".backups .failed");
		await failed.getByText("folder cannot be read").waitFor();
		expect(await page.locator(".banner").count()).toBe(0);
		opened().visits.expectStatuses(503);
		rmSync(opened().folder);
		renameSync(`${opened().folder}.moved`, opened().folder);
	});

	describe("Dialogs that must be answered", () => {
		/** Chromium lets a page prevent Escape only some times. */
		async function pressEscape(page: Page): Promise<void> {
			for (let count = 0; count < 6; count++)
				await page.keyboard.press("Escape");
		}

		test.each([
			["with the keyboard", pressEscape],
			[
				"by the browser itself",
				async (page: Page) => {
					for (let count = 0; count < 3; count++)
						await page
							.locator("dialog")
							.evaluate((dialog: HTMLDialogElement) => dialog.close());
				},
			],
		])("keeps a new secret if closed %s", async (_how, close) => {
			const page = await opened().visits.open("#keys");
			await page.getByRole("button", { name: "Make a key" }).click();
			await page.getByRole("dialog").getByLabel("Name").fill("kept");
			await page.getByRole("button", { name: "Make the key" }).click();
			const secret = await page.getByLabel("API key").inputValue();
			await close(page);
			expect(await page.getByLabel("API key").inputValue()).toBe(secret);
			await page.getByRole("button", { name: "I have copied it" }).click();
			await page.getByRole("dialog").waitFor({ state: "detached" });
			expect(await page.content()).not.toContain(secret);
		});
	});

	describe("A search that fails", () => {
		test("shows neither the previous animals nor “Nothing found”", async () => {
			const page = await opened().visits.open();
			await page.locator(".pets tbody tr").nth(2).waitFor();
			await page.evaluate(() => {
				location.hash = "catalogue?status=lost";
			});
			await page.getByText("status must be").waitFor();
			expect(await page.locator(".pets").count()).toBe(0);
			expect(await page.getByText("Nothing found").count()).toBe(0);
			await opened().visits.takeStatuses(400);
			await page.getByRole("button", { name: "Clear" }).click();
			await page.locator(".pets tbody tr").nth(2).waitFor();
			expect(await page.getByText("status must be").count()).toBe(0);
		});

		test.each(["keys", "status"])(
			"shows no “Loading …” in the view %s",
			async (view) => {
				const page = await opened().visits.open();
				await page.route(/\/(keys|status)(\?|$)/, (route) =>
					route.fulfill({
						status: 500,
						json: { code: "internal", message: "It failed.", status: 500 },
					}),
				);
				await page.locator(`a[href="#${view}"]`).click();
				await page.getByText("It failed.").waitFor();
				expect(await page.getByText("Loading …").count()).toBe(0);
				await page.unrouteAll({ behavior: "wait" });
				await opened().visits.takeStatuses(500);
			},
		);
	});

	describe("Names in the console", () => {
		test("calls an animal without a visible name by its id", async () => {
			for (const name of ["", " \u200b", "\u3164\u2800"]) {
				const id = await addPet(name);
				const page = await opened().visits.open();
				await page
					.getByLabel(`Status of no name, animal ${id}`)
					.selectOption("sold");
				await page.getByText(`Animal ${id} is sold.`).waitFor();
				// People who speak to the computer say what they see.
				const label = `no name, animal ${id}`;
				await page.getByRole("button", { name: `Open ${label}` }).click();
				await page.getByRole("dialog").getByLabel("Category").fill("2");
				await page.getByRole("button", { name: "Save" }).click();
				await page.getByText(`Animal ${id} is saved.`).waitFor();
				await page.getByRole("button", { name: `Open ${label}` }).click();
				await page.getByRole("button", { name: `Remove ${label}` }).click();
				await page.getByText(`Removed animal ${id}.`).waitFor();
				await page.getByRole("button", { name: "Undo" }).click();
				await page.getByText("Undone: 1 animal.").waitFor();
			}
		});

		test("gives different labels to animals and keys with equal names", async () => {
			for (let count = 0; count < 2; count++) {
				await addPet("Twin");
				await opened().service.store.keys.add(makeKey({ name: "twin" }).record);
			}
			for (const [hash, table] of [
				["", ".pets"],
				["#keys", ".keys"],
			]) {
				const page = await opened().visits.open(hash);
				await page.locator(`${table} tbody tr`).nth(1).waitFor();
				const labels = await page
					.locator(`${table} tbody [aria-label]`)
					.evaluateAll((all) => all.map((one) => one.ariaLabel));
				expect(labels.length).toBeGreaterThan(5);
				expect(new Set(labels).size).toBe(labels.length);
			}
		});

		test.each([
			["an override", "\u202etxet"],
			["an isolate that is not closed", "\u2067text"],
			["the end of an isolate, then an override", "\u2069\u202etxet"],
			["letters from right to left", "אבג"],
		])(
			"keeps the order of the words around a name with %s",
			async (_what, name) => {
				await addPet(name);
				const page = await opened().visits.open();
				const row = page.locator(".pets tbody tr").first();
				const inRow = await row.locator(".name").evaluate(toVisualOrder);
				await row.locator(".name button").click();
				await page.getByRole("dialog").getByLabel("Category").fill("12");
				await page.getByRole("button", { name: "Save" }).click();
				const said = page.locator(".toast p");
				await said.waitFor();
				expect(await said.evaluate(toVisualOrder)).toBe(`“${inRow}” is saved.`);
			},
		);
	});
});

/** The characters of an element from left to right on the screen. */
function toVisualOrder(element: Element): string {
	const walker = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
	const found: { character: string; top: number; left: number }[] = [];
	while (walker.nextNode()) {
		const node = walker.currentNode;
		for (let at = 0; at < (node.textContent?.length ?? 0); at++) {
			const range = document.createRange();
			range.setStart(node, at);
			range.setEnd(node, at + 1);
			const { top, left, width } = range.getBoundingClientRect();
			const character = range.toString();
			if (width > 0) found.push({ character, top, left });
		}
	}
	return found
		.sort((one, other) => one.top - other.top || one.left - other.left)
		.map(({ character }) => character)
		.join("");
}
