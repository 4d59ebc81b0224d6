// What the console shows in unusual cases: a failed search, no connection, names that are empty, equal or written from right to left.
import { describe, expect, test } from "bun:test";
import { makeKey } from "../../harness/key.ts";
import { dialogOf, press, until } from "../visit.ts";
import { describeConsole, rowOf } from "./visit.ts";

await describeConsole((opened) => {
	const addPet = (name: string) => opened().addPet(name);

	test("shows neither the previous animals nor “Nothing found” after a search that failed", async () => {
		await addPet("Before");
		const page = await opened().visits.open();
		await rowOf(page, "Before").waitFor();
		await page.evaluate(() => {
			location.hash = "catalogue?status=lost";
		});
		await page.getByText("status must be").waitFor();
		expect(await page.locator(".pets").count()).toBe(0);
		expect(await page.getByText("Nothing found").count()).toBe(0);
		await opened().visits.takeStatuses(400);
		await press(page, "Clear");
		await rowOf(page, "Before").waitFor();
		expect(await page.getByText("status must be").count()).toBe(0);
	});

	test("draws the requests of the last hour and of the last day as bars, from tables", async () => {
		await opened().service.call("/v1/pets");
		const page = await opened().visits.open("#status");
		for (const [title, count] of [
			["Last hour", 60],
			["Last 24 hours", 24],
		] as const) {
			const table = page.getByRole("table", { name: title });
			const bars = table.locator("tbody").getByRole("row");
			await bars.first().waitFor();
			expect(await bars.count()).toBe(count);
			const heights = await bars
				.locator("td:nth-child(2)")
				.evaluateAll((cells) => cells.map((cell) => cell.clientHeight));
			expect(heights[0]).toBe(0);
			// The largest bar is as high as the chart.
			expect(Math.max(...heights)).toBeGreaterThan(120);
			expect((await bars.allInnerTexts()).join()).toMatch(/[1-9]/);
		}
	});

	describe("The console without a service", () => {
		test("keeps the input of a form, says that the service does not answer, and continues when the service answers", async () => {
			const page = await opened().visits.open();
			await press(page, "Add an animal");
			await dialogOf(page).getByLabel("Name").fill("Offline");
			await dialogOf(page).getByLabel("Category").fill("1");
			await page.context().setOffline(true);
			await press(page, "Add");
			await page.getByText("The service does not answer.").waitFor();
			await page.context().setOffline(false);
			// What somebody types before the reply is the next name.
			await page.route("**/operator/v1/pets", async (route) => {
				await page.keyboard.type("Next");
				await route.continue();
			});
			await press(page, "Add and next");
			await dialogOf(page).getByText("Added “\u2068Offline").waitFor();
			await press(page, "Add");
			await page.getByRole("row").filter({ hasText: "Next" }).waitFor();
			await page.getByRole("row").filter({ hasText: "Offline" }).waitFor();

			await page.context().setOffline(true);
			await page.getByRole("link", { name: "Status" }).click();
			await page.getByText("Retrying").waitFor();
			await page.context().setOffline(false);
			await page.getByText("Schema").waitFor();
			await page.getByText("Retrying").waitFor({ state: "detached" });
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
			await page.getByText("Later. Retrying").waitFor();
			await page.unroute("**/operator/v1/keys?*");
			await page.getByRole("button", { name: "Make a key" }).waitFor();
			await opened().visits.takeStatuses(503);
		});
	});

	describe("Names in the console", () => {
		test("calls an animal without a visible name by its id", async () => {
			for (const name of ["", " \u200b\u3164"]) {
				const id = await addPet(name);
				const page = await opened().visits.open();
				await page
					.getByLabel(`Status of no name, animal ${id}`)
					.selectOption("sold");
				await page.getByText(`Animal ${id} is sold.`).waitFor();
				// People who speak to the computer say what they see.
				const label = `no name, animal ${id}`;
				await page.getByRole("button", { name: `Open ${label}` }).click();
				await dialogOf(page).getByLabel("Category").fill("2");
				await press(page, "Save");
				await page.getByText(`Animal ${id} is saved.`).waitFor();
				await page.getByRole("button", { name: `Open ${label}` }).click();
				await page.getByRole("button", { name: `Remove ${label}` }).click();
				await page.getByText(`Removed animal ${id}.`).waitFor();
				await press(page, "Undo");
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
				expect(labels.length).toBeGreaterThan(3);
				expect(new Set(labels).size).toBe(labels.length);
			}
		});

		test("keeps the order of the words around a name in another direction", async () => {
			for (const name of [
				...["\u202etxet", "\u2067text", "\u2069\u202etxet", "אבג"],
			]) {
				await addPet(name);
				const page = await opened().visits.open();
				const row = page.locator(".pets tbody tr").first();
				const inRow = await row.locator(".name").evaluate(toVisualOrder);
				await row.locator("select").selectOption("sold");
				const said = page.locator(".toast p");
				await until(
					async () =>
						(await said.evaluate(toVisualOrder)) === `“${inRow}” is sold.`,
				);
			}
		});
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
