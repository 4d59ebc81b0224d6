// The names of categories in a real browser.
import { expect, test } from "bun:test";
import { add } from "../../service.ts";
import { dialogOf } from "../visit.ts";
import { describeConsole } from "./visit.ts";

await describeConsole((opened) => {
	test("makes, names and renames categories by keyboard, and removes a name", async () => {
		const large = "9223372036854775807";
		for (const categoryId of [7, 7, large])
			await add(opened().service, `{"name":"Rex","categoryId":${categoryId}}`);
		const page = await opened().visits.open("#/categories");
		const dialog = dialogOf(page);
		const rows = page.locator(".categories tbody tr");
		const press = async (name: string) => {
			await page.getByRole("button", { name }).focus();
			await page.keyboard.press("Enter");
		};
		await press(`Name category ${large}`);
		await page.keyboard.type("Others");
		await page.keyboard.press("Enter");
		await rows.filter({ hasText: "Others" }).waitFor();
		await press("Make a category");
		await page.keyboard.type("Dogs");
		await page.keyboard.press("Enter");
		await rows.filter({ hasText: "Dogs" }).waitFor();
		const cells = await rows.locator("th, .number").allInnerTexts();
		expect(cells).toEqual(["Dogs", "0", "Category 7", "2", "Others", "1"]);

		await press("Rename Dogs");
		await dialog.getByLabel("Name").fill("others");
		await page.keyboard.press("Enter");
		await dialog.getByText(`Category ${large}`).waitFor();
		opened().visits.expectStatuses(409);
		await dialog.getByLabel("Name").fill("Hounds");
		await page.keyboard.press("Enter");
		await rows.filter({ hasText: "Hounds" }).waitFor();

		// A number that has a name is not renamed by mistake.
		await press("Make a category");
		await dialog.getByLabel("Name").fill("Cats");
		await dialog.getByLabel("Number").fill("01");
		await page.keyboard.press("Enter");
		await dialog.getByRole("alert").getByText("Hounds").waitFor();
		await dialog.getByLabel("Number").fill("7");
		await page.keyboard.press("Enter");
		await rows.filter({ hasText: "Cats" }).getByText("2").waitFor();

		await press("Remove name Hounds");
		const question = page.getByRole("dialog", { name: /^Remove.+Hounds.\?$/ });
		await question.getByRole("button", { name: "Remove" }).click();
		await rows.filter({ hasText: "Hounds" }).waitFor({ state: "detached" });
		expect(await rows.count()).toBe(2);
	});

	test("creates a category where it is asked for", async () => {
		const page = await opened().visits.open();
		await page.getByRole("button", { name: "Add an animal" }).click();
		const dialog = dialogOf(page);
		await dialog.getByLabel("Name").fill("Coco");
		const category = dialog.getByLabel("Category");
		await category.fill("Parrots");
		expect(await category.evaluate((own) => own.matches(":invalid"))).toBe(
			true,
		);
		await page.keyboard.press("Tab");
		await page.keyboard.press("Enter");
		await dialog
			.getByRole("button", { name: "Create" })
			.waitFor({ state: "detached" });
		await category.press("Enter");
		await page
			.getByRole("row")
			.filter({ hasText: "Coco" })
			.getByText("Parrots")
			.waitFor();
	});

	test("keeps a half-typed category in its field when the page reloads the names", async () => {
		await opened().addPet("Tom");
		const page = await opened().visits.open();
		await page.getByRole("button", { name: "Open Tom" }).click();
		const dialog = dialogOf(page);
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
		const { service, addPet } = opened();
		const send = (method: string, path: string, body: object) =>
			service.call(`/operator/v1${path}`, {
				method,
				body: JSON.stringify(body),
			});
		await send("PUT", "/categories/3", { name: "Birds" });
		const id = await addPet("Polly", 3);
		await send("PATCH", `/pets/${id}`, { categoryId: 4 });
		const page = await opened().visits.open("#history");
		await page.getByText("Birds → 4").waitFor();
		await page.getByRole("link", { name: "Categories" }).click();
		await page.getByRole("link", { name: "Birds" }).click();
		await page.getByRole("heading", { name: "Catalogue" }).waitFor();
		expect(page.url()).toEndWith("#catalogue?categoryId=3");
	});
});
