// The keys of the console in a real browser, on both engines.
import { expect, test } from "bun:test";
import { makeKey } from "../../harness/key.ts";
import { describeOnEngines } from "./engines.ts";

await describeOnEngines((opened) => {
	test("shows when a key last called a deprecated operation", async () => {
		const { visits, service } = opened();
		const key = await service.makeKey({ name: "web shop" });
		const authorization = `Bearer ${key}`;
		await service.call("/v1/pets", { authorization });
		const page = await visits.open("#keys");
		const row = page.getByRole("row", { name: /^web shop/ });
		await row.getByText("used just now").waitFor();
		expect(await row.innerText()).not.toContain("deprecated");
		await service.call("/v1/pets/1", { authorization });
		await page.reload();
		await row.getByText("called a deprecated operation just now").waitFor();
	});

	test("gives an expired key another expiry", async () => {
		const { visits, service } = opened();
		const expired = makeKey({ name: "seasonal", expiresAt: Date.now() - 1 });
		const { id } = await service.store.keys.add(expired.record);
		const page = await visits.open("#keys");
		await page.getByText("Revoked and expired keys").click();
		await page.getByRole("button", { name: "Change seasonal" }).click();
		const expiry = page.getByRole("dialog").getByLabel("Expiry");
		expect(await expiry.innerText()).toContain("expired just now");
		await expiry.selectOption("never");
		await page
			.getByRole("dialog")
			.getByRole("button", { name: "Change" })
			.click();
		await page
			.getByRole("row", { name: /^seasonal/ })
			.getByText("no expiry")
			.waitFor();
		const found = await service.store.keys.find(expired.record.hash);
		expect(found).toMatchObject({ id, expiresAt: undefined });
	});

	test("warns before the key of this session is revoked", async () => {
		const { visits, service } = opened();
		const { id } = await service.store.keys.add(makeKey().record);
		const page = await visits.open("#keys");
		const dialog = page.getByRole("dialog");
		const warning = dialog.getByText("you will be signed out");
		for (const [label, count] of [
			["Revoke Ada, ", 1],
			[new RegExp(`^Revoke .+, key ${id}$`), 0],
		] as const) {
			await page.getByRole("button", { name: label }).click();
			await dialog.getByText("You cannot undo this.").waitFor();
			expect(await warning.count()).toBe(count);
			await dialog.getByRole("button", { name: "Cancel" }).click();
		}
	});
});
