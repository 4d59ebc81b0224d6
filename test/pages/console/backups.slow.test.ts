// The backups in the console in a real browser.
import { expect, test } from "bun:test";
import { readdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { dialogOf, press } from "../visit.ts";
import { describeConsole } from "./visit.ts";

await describeConsole((opened) => {
	test("makes a backup, downloads and restores it, with a backup of before, and keeps the session", async () => {
		const { visits, addPet, readPet, folder, service } = opened();
		const kept = await addPet("Kept");
		const page = await visits.open("#status");
		await page.getByText("None of this catalogue was found.").waitFor();
		await press(page, "Back up now");
		await page.getByText(/^Made the backup/).waitFor();
		const [name = ""] = readdirSync(folder);
		const downloading = page.waitForEvent("download");
		await page.getByRole("link", { name: `Download ${name}` }).click();
		const file = await downloading;
		expect(file.suggestedFilename()).toBe(name);
		const text = await Bun.file(await file.path()).text();
		expect(text).toStartWith("SQLite format 3");

		const lost = await addPet("Added since");
		await press(page, `Restore ${name}`);
		await dialogOf(page).getByText("Its 1 animal ").waitFor();
		await dialogOf(page).getByRole("button", { name: "Restore" }).click();
		await page.getByText(/^Restored 1 animal\./).waitFor();
		await page.locator(".backups tbody tr").nth(1).waitFor();
		expect(await readPet(kept)).toMatchObject({ name: "Kept" });
		expect(await readPet(lost)).toBeUndefined();
		await page.getByRole("link", { name: "Catalogue" }).click();
		await page.getByText("1 animal", { exact: true }).waitFor();
		await page.getByRole("link", { name: "History" }).click();
		await page.getByText("restored a backup of 1 animal").waitFor();

		await service.store.backups.fail(Date.now(), "No space.");
		const again = await visits.open("#status");
		await again.getByText("The last backup failed. No space.").waitFor();
		// The clock of the browser is wrong.
		await again.addInitScript(
			"Date.now = ((now) => () => now() - 7_200_000)(Date.now)",
		);
		await again.reload();
		await again.getByText("Last: just now,").waitFor();
		const refuse = "**/backups/petstore*";
		await again.route(refuse, (route) => route.fulfill({ status: 503 }));
		await again.getByRole("link", { name: `Download ${name}` }).click();
		await again.getByText(/^Could not download the file\./).waitFor();
		visits.expectStatuses(503);
	});

	test("says that the service cannot read the folder of backups", async () => {
		const { visits, folder } = opened();
		const page = await visits.open();
		renameSync(folder, `${folder}.moved`);
		writeFileSync(folder, "");
		await page.getByRole("link", { name: "Status" }).click();
		const failed = page.locator(".backups .failed");
		await failed.getByText("cannot be read").waitFor();
		expect(await page.locator(".dock > .failed").count()).toBe(0);
		visits.expectStatuses(503);
		rmSync(folder);
		renameSync(`${folder}.moved`, folder);
	});
});
