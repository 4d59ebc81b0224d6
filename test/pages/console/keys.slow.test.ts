// The page of one key in a real browser, on both engines.
import { expect, test } from "bun:test";
import { durationCount } from "../../../src/store/usage.ts";
import { makeKey } from "../../harness/key.ts";
import { describeOnEngines } from "./engines.ts";

await describeOnEngines((opened) => {
	test("links from the list to the page of a key, with its facts and its own traffic", async () => {
		const { keys, usage } = opened().service.store;
		const { record } = makeKey({ name: "web shop", scope: "read" });
		const { id } = await keys.add(record);
		const { id: other } = await keys.add(makeKey({ name: "other" }).record);
		const durations = Array<number>(durationCount).fill(0);
		await usage.add(
			(
				[
					[id, 200, 30],
					[id, 404, 9],
					[id, 503, 1],
					[other, 200, 500],
				] as const
			).map(([key, status, requests]) => ({
				at: Date.now(),
				key: String(key),
				operation: "getPet",
				status,
				requests,
				durations,
			})),
		);
		const page = await opened().visits.open("#keys");
		await page.getByRole("link", { name: "web shop" }).click();
		const heading = page.getByRole("heading", { name: "web shop" });
		await heading.waitFor();
		expect(page.url()).toEndWith(`#keys/${id}`);
		await page.getByRole("heading", { name: "By status" }).waitFor();
		expect(await page.locator("main").innerText()).toMatch(
			/Scope\s+read\s+Secret\s+pet_\w{4}…\s+Made\s+.+\s+Expiry\s+no expiry\s+Last use\s+never used\s+Calls by day\s+2xx and 3xx 30\s+4xx 9\s+5xx 1\s/,
		);
		expect(await page.locator(".table tbody tr").allInnerTexts()).toEqual([
			"200\tgetPet\t30\t75 %",
			"404 not_found\tgetPet\t9\t22.5 %",
			"503 unavailable\tgetPet\t1\t2.5 %",
		]);
		await page.goBack();
		await page.getByRole("heading", { name: "Keys", exact: true }).waitFor();
	});

	test("renames and revokes a key on its page", async () => {
		const { record } = makeKey({ name: "app" });
		const { id } = await opened().service.store.keys.add(record);
		const page = await opened().visits.open(`#/keys/${id}`);
		const dialog = page.getByRole("dialog");
		await page.getByText("No calls in the last 30 days").waitFor();

		await page.getByRole("button", { name: "Rename" }).click();
		await dialog.getByLabel("Name").fill("new app");
		await dialog.getByRole("button", { name: "Rename" }).click();
		await page.getByRole("heading", { name: "new app" }).waitFor();

		await page.getByRole("button", { name: "Revoke" }).click();
		await dialog.getByRole("button", { name: "Revoke" }).click();
		await page.getByText(/^revoked /).waitFor();
		expect(await page.getByRole("button", { name: "Rename" }).count()).toBe(0);
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
