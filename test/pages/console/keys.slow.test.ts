// The keys of the console in a real browser.
import { expect, test } from "bun:test";
import { makeKey } from "../../harness/key.ts";
import { dialogOf, press, until } from "../visit.ts";
import { describeConsole, rowOf } from "./visit.ts";

await describeConsole((opened) => {
	test("makes a key, shows its secret until it is copied, and changes and revokes it", async () => {
		const { visits, service } = opened();
		const page = await visits.open("#keys");
		await press(page, "Make a key");
		await dialogOf(page).getByLabel("Name").fill("shop");
		await dialogOf(page).getByLabel("Scope").selectOption("read");
		await press(page, "Make the key");
		const field = page.getByLabel("API key");
		const secret = await field.inputValue();
		const authorization = `Bearer ${secret}`;
		const list = () => service.call("/v1/pets?limit=1", { authorization });
		expect((await list()).status).toBe(200);
		// Chromium lets a page prevent Escape only some times.
		for (let count = 0; count < 6; count++) await page.keyboard.press("Escape");
		await page
			.locator("dialog")
			.evaluate((dialog: HTMLDialogElement) => dialog.close());
		expect(await field.inputValue()).toBe(secret);
		await press(page, "I have copied it");
		await dialogOf(page).waitFor({ state: "detached" });

		await rowOf(page, "shop").getByRole("button", { name: "Change" }).click();
		await dialogOf(page).getByLabel("Name").fill("store");
		const day = new Date(Date.now() + 90 * 86_400_000).toISOString();
		await dialogOf(page).getByLabel("Last day").fill(day.slice(0, 10));
		await page.keyboard.press("Enter");
		const row = rowOf(page, "store");
		await row.getByText("expires in 3 months").waitFor();
		await service.call("/v1/pets/1", { authorization });
		await page.reload();
		await row.getByText("called a deprecated operation just now").waitFor();
		await row.getByRole("button", { name: "Revoke" }).click();
		const question = page.getByRole("dialog", { name: /^Revoke .store.\?$/ });
		await question.getByRole("button", { name: "Revoke" }).click();
		await page.getByText("Revoked and expired keys").click();
		await row.getByText("revoked").waitFor();
		await until(async () => (await list()).status === 401);
		expect(await page.content()).not.toContain(secret);
	});

	test("warns before the key of this session is revoked", async () => {
		const { visits, service } = opened();
		const { id } = await service.store.keys.add(makeKey().record);
		const page = await visits.open("#keys");
		for (const [label, count] of [
			[/^Revoke Ada, /, 1],
			[new RegExp(`^Revoke .+, key ${id}$`), 0],
		] as const) {
			await press(page, label);
			await dialogOf(page).getByText("You cannot undo this.").waitFor();
			const warning = dialogOf(page).getByText("you will be signed out");
			expect(await warning.count()).toBe(count);
			await press(page, "Cancel");
		}
	});

	test("shows all keys of many pages", async () => {
		const { keys } = opened().service.store;
		for (let count = 0; count < 101; count++)
			await keys.add(makeKey({ name: "many" }).record);
		await keys.add(makeKey({ name: "last" }).record);
		const page = await opened().visits.open("#keys");
		await rowOf(page, "last").waitFor();
	});
});
