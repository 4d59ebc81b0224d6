// The backups in the console in a real browser, on both engines.
import { expect, test } from "bun:test";
import { accessibilityTimeoutMs, expectAccessible } from "../accessible.ts";
import { describeOnEngines } from "./engines.ts";

await describeOnEngines((opened) => {
	test(
		"makes a backup and restores it, with a backup of before, and keeps the session",
		async () => {
			const { visits, addPet, readPet } = opened();
			const kept = await addPet("Kept");
			const page = await visits.open("#status");
			const rows = page.locator(".backups tbody tr");
			await page.getByRole("button", { name: "Back up now" }).click();
			await rows.first().waitFor();
			const name = await rows.first().locator("th").innerText();
			const before = await rows.count();
			const lost = await addPet("Added since");

			await page.getByRole("button", { name: `Restore ${name}` }).click();
			const dialog = page.getByRole("dialog");
			await dialog.getByText("Its 1 animal ").waitFor();
			await expectAccessible(page, "light");
			await dialog.getByRole("button", { name: "Restore" }).click();
			await page.getByText(/^Restored 1 animal\./).waitFor();
			await rows.nth(before).waitFor();
			expect(await readPet(kept)).toMatchObject({ name: "Kept" });
			expect(await readPet(lost)).toBeUndefined();
			await page.getByRole("link", { name: "Catalogue" }).click();
			await page.getByText("1 animal", { exact: true }).waitFor();
		},
		accessibilityTimeoutMs,
	);

	test("does nothing if the backup is another by now", async () => {
		const { visits, addPet, readPet } = opened();
		const page = await visits.open("#status");
		await page.route("**/operator/v1/backups", async (route) => {
			const response = await route.fetch();
			const text = await response.text();
			const body = text.replaceAll(/"animals":\d+/g, '"animals":7');
			await route.fulfill({ response, body });
		});
		await page.reload();
		const id = await addPet("Safe");
		await page
			.getByRole("button", { name: /^Restore / })
			.first()
			.click();
		const dialog = page.getByRole("dialog");
		await dialog.getByText("Its 7 animals ").waitFor();
		await dialog.getByRole("button", { name: "Restore" }).click();
		await dialog.getByRole("alert").waitFor();
		visits.expectStatuses(409);
		await page.unrouteAll({ behavior: "wait" });
		expect(await readPet(id)).toBeDefined();
	});
});
