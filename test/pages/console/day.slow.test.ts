// A day in a shop, in a real browser and on both engines: what people do in the console, one thing after another.
import { expect, test } from "bun:test";
import { dialogOf, hasFocus, press, until } from "../visit.ts";
import { chooseStatus, describeConsole, openDrawer, rowOf } from "./visit.ts";

await describeConsole(
	(opened) => {
		test("a shop's day", async () => {
			const { visits, service, key, count } = opened();
			const page = await visits.openSignedOut();
			// The flags that this service needs, ready to copy.
			const command = await page.getByLabel("Command").inputValue();
			expect(command).toContain(`--url ${service.url}`);
			expect(command).toMatch(/--database (sqlite:|"\$PETSTORE_DATABASE")/);
			await page.getByLabel("API key").fill(key);
			await press(page, "Sign in");

			// Makes the categories 1 and 2.
			await page.getByRole("link", { name: "Categories" }).click();
			for (const name of ["Dogs", "Cats"]) {
				await press(page, "Make a category");
				await dialogOf(page).getByLabel("Name").fill(name);
				await press(page, "Make");
				await page.getByRole("link", { name }).waitFor();
			}

			// Adds 30 by hand. The dialog stays open and keeps the category.
			await page.getByRole("link", { name: "Catalogue" }).click();
			await page.getByText("No animals yet").waitFor();
			await press(page, "Add the first animal");
			await dialogOf(page).getByLabel("Name").fill("Hand 1");
			await dialogOf(page).getByLabel("Category").fill("dogs");
			await page.keyboard.press("Control+Enter");
			for (let number = 2; number <= 30; number++) {
				await dialogOf(page)
					.getByText(`Added “\u2068Hand ${number - 1}\u2069”`)
					.waitFor();
				await page.keyboard.type(`Hand ${number}`);
				await page.keyboard.press(number < 30 ? "Control+Enter" : "Enter");
			}
			await dialogOf(page).waitFor({ state: "detached" });
			await page.getByText("30 animals", { exact: true }).waitFor();
			expect(await count("categoryId=1")).toBe(30);

			// Imports 200.
			await press(page, "Import");
			const lines = Array.from({ length: 200 }, (_, n) => `File ${n + 1},2,`);
			await page.getByLabel("File").setInputFiles({
				name: "animals.csv",
				mimeType: "text/csv",
				buffer: Buffer.from(["name,categoryId,status", ...lines].join("\n")),
			});
			await page.getByText("200 new,").waitFor();
			await press(page, "Apply");
			await page.getByText("230 animals", { exact: true }).waitFor();
			await page.locator(".pets").getByText("Cats").first().waitFor();

			// Finds one by its id, and changes it.
			const { pets } = await (
				await service.call("/operator/v1/pets?name=hand%207")
			).json();
			const search = page.getByLabel("Search by name or id");
			await search.fill(String(pets[0].id));
			await page.keyboard.press("Enter");
			await page.locator(".drawer").getByLabel("Name").fill("Hector");
			await press(page, "Save");
			await page.getByText("is saved.").waitFor();
			await press(page, "Clear");

			// Changes 50, and takes it back.
			await page.getByLabel("Category").selectOption("Cats");
			await page.getByText("200 animals").waitFor();
			await page.getByLabel("Select File 200").click();
			await page.getByLabel("Select File 151").click({ modifiers: ["Shift"] });
			await page.getByText("50 selected").waitFor();
			await press(page, "Set category");
			await dialogOf(page).getByLabel("Category").fill("Dogs");
			await press(page, "Set");
			await page
				.getByText(/^Set the category of 50 animals to .Dogs.\.$/)
				.waitFor();
			await page.getByText("150 animals").waitFor();
			// The button that had the focus is gone.
			const undo = page.getByRole("button", { name: "Undo" });
			expect(await undo.evaluate(hasFocus)).toBe(true);
			await page.keyboard.press("Enter");
			await page.getByText("Undone: 50 animals.").waitFor();
			const heading = page.getByRole("heading", { name: "Catalogue" });
			expect(await heading.evaluate(hasFocus)).toBe(true);
			await page.getByText("200 animals").waitFor();

			// Removes one, finds it in the history, and puts it back.
			await openDrawer(page, "File 200");
			await press(page, /^Remove File 200/);
			await page.getByText("199 animals").waitFor();
			await page.getByRole("link", { name: "History" }).click();
			const removal = page.locator("tr", { hasText: "File 200" }).first();
			await removal.getByRole("button", { name: "Undo" }).click();
			await page.getByText("Undone: 1 animal.").waitFor();
			expect(await count()).toBe(230);

			// Two browsers change one animal. The second is told who was first.
			const other = await visits.open("#catalogue?search=hector");
			await openDrawer(other, "Hector");
			await page.getByRole("link", { name: "Catalogue" }).click();
			await search.fill("he");
			await dialogOf(other).getByLabel("Name").fill("Helen");
			await chooseStatus(page, "Hector", "sold");
			await page.getByText("is sold.").waitFor();
			await press(other, "Save");
			await other.getByText(/Ada. changed animal/).waitFor();
			const changed = dialogOf(other).locator(".differences");
			expect(await changed.last().innerText()).toBe("Name\nHector → Helen");
			await press(other, "Use mine");
			await rowOf(page, "Helen").locator("[data-value=sold]").first().waitFor();
			visits.expectStatuses(412);

			// A name of a category reaches the other browser.
			await service.call("/operator/v1/categories/1", {
				method: "PUT",
				body: '{"name":"Hounds"}',
			});
			await rowOf(page, "Helen").getByText("Hounds").waitFor();

			await page.getByRole("link", { name: "Status" }).click();
			await page.locator(".figure").getByText("230").waitFor();
			await until(async () => (await count("status=sold")) === 1);
		}, 120_000);
	},
	{ engines: ["sqlite", "postgres"] },
);
