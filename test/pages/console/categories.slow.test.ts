// The names of categories in a real browser, on both engines.
import { expect, test } from "bun:test";
import { add } from "../../service.ts";
import { describeOnEngines } from "./engines.ts";

await describeOnEngines((opened) => {
	test("names and renames a category by keyboard, and removes its name", async () => {
		for (const categoryId of [7, 7, "9223372036854775807"])
			await add(opened().service, `{"name":"Rex","categoryId":${categoryId}}`);
		const page = await opened().visits.open("#/categories");
		await page.getByText("No category has a name yet").waitFor();
		const dialog = page.getByRole("dialog");
		const rows = page.locator(".categories tbody tr");
		const press = async (name: string) => {
			await page.getByRole("button", { name }).focus();
			await page.keyboard.press("Enter");
		};
		const name = async (id: string, text: string) => {
			await press("Name a category");
			await page.keyboard.type(id);
			await page.keyboard.press("Tab");
			await page.keyboard.type(text);
			await page.keyboard.press("Enter");
		};
		await name("9223372036854775807", "Others");
		await rows.filter({ hasText: "Others" }).waitFor();
		await name("7", "Dogs");
		await rows.filter({ hasText: "Dogs" }).waitFor();
		expect(await rows.allInnerTexts()).toEqual([
			"Dogs\t7\t2\tRenameRemove name",
			"Others\t9223372036854775807\t1\tRenameRemove name",
		]);

		await press("Rename Dogs, category 7");
		await dialog.getByLabel("Name").fill("others");
		await page.keyboard.press("Enter");
		await dialog.getByText("Another category has this name").waitFor();
		opened().visits.expectStatuses(409);
		await dialog.getByLabel("Name").fill("Hounds");
		await page.keyboard.press("Enter");
		await rows.filter({ hasText: "Hounds" }).waitFor();

		await press("Remove name Hounds, category 7");
		await dialog.getByRole("button", { name: "Remove" }).click();
		await rows.filter({ hasText: "Hounds" }).waitFor({ state: "detached" });
		expect(await rows.count()).toBe(1);
	});

	test("keeps a half-typed category in its field when the page reloads the names", async () => {
		await add(opened().service, '{"name":"Tom","categoryId":11}');
		const page = await opened().visits.open();
		await page.getByRole("button", { name: "Open Tom" }).click();
		const dialog = page.getByRole("dialog");
		await dialog.getByLabel("Category").fill("Ca");
		await dialog.getByLabel("Name").focus();
		const loading = page.waitForResponse(/operator.v1.categories/);
		// The page loads them when the reader returns.
		await page.evaluate(() =>
			document.dispatchEvent(new Event("visibilitychange")),
		);
		await loading;
		await page.waitForLoadState("networkidle");
		expect(await dialog.getByLabel("Category").inputValue()).toBe("Ca");
		await dialog.getByRole("button", { name: "Save" }).click();
		const wrong = dialog.getByLabel("Category");
		expect(await wrong.evaluate((own) => own.matches(":invalid"))).toBe(true);
	});

	test("shows the name of a category in the history instead of its id", async () => {
		const headers = { "Content-Type": "application/json" };
		const key = await opened().service.makeKey({ scope: "operator" });
		const authorization = `Bearer ${key}`;
		const send = (method: string, path: string, body: object) =>
			opened().service.call(`/operator/v1${path}`, {
				method,
				authorization,
				headers,
				body: JSON.stringify(body),
			});
		await send("PUT", "/categories/3", { name: "Birds" });
		const { id } = await (
			await send("POST", "/pets", { name: "Polly", categoryId: 3 })
		).json();
		await send("PATCH", `/pets/${id}`, { categoryId: 4 });
		const page = await opened().visits.open("#history");
		await page.getByText("Birds → 4").waitFor();
		await page.getByRole("link", { name: "Categories" }).click();
		await page.getByRole("link", { name: "Birds" }).click();
		await page.getByRole("heading", { name: "Catalogue" }).waitFor();
		expect(page.url()).toEndWith("#catalogue?categoryId=3");
	});
});
