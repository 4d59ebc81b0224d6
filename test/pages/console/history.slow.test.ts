// The history in a real browser, on both engines: who did what, and the way back.
import { beforeAll, expect, test } from "bun:test";
import type { Page } from "playwright-core";
import { describeOnEngines } from "./engines.ts";
import { until } from "./visit.ts";

await describeOnEngines((opened) => {
	let keys: Record<"Ada" | "Ben", string>;
	beforeAll(async () => {
		const { service, key } = opened();
		const scope = "operator";
		keys = { Ada: key, Ben: await service.makeKey({ scope, name: "Ben" }) };
	});

	const addPet = (name: string) => opened().addPet(name);

	/** Removes the animal without a change. */
	async function act(
		by: keyof typeof keys,
		id: string,
		set?: object,
	): Promise<void> {
		const response = await opened().service.call(`/operator/v1/pets/${id}`, {
			method: set === undefined ? "DELETE" : "PATCH",
			authorization: `Bearer ${keys[by]}`,
			...(set !== undefined && { body: JSON.stringify(set) }),
		});
		expect(response.ok).toBe(true);
	}

	const rowsOf = (page: Page, id: string) =>
		page.locator(".entries tbody tr").filter({ hasText: `#${id}` });

	test("shows what was changed and by whom, for all animals, one person or one animal", async () => {
		const rex = await addPet("Rex");
		const tom = await addPet("Tom");
		await act("Ada", rex, { status: "sold" });
		await act("Ben", tom, { name: "Tommy", categoryId: 2 });
		await act("Ben", rex, { status: "pending" });
		const page = await opened().visits.open("#/history");
		await rowsOf(page, rex).first().waitFor();
		const readLines = async () =>
			(await page.locator(".entries tbody tr").allInnerTexts()).map((row) =>
				row
					.replace(/^.*\d\d:\d\d\s+/, "")
					.split(/\s+/)
					.join(" "),
			);
		const changes = [
			`Ben Rex #${rex} Status sold → pending Put back`,
			`Ben Tommy #${tom} Name Tom → Tommy Category 1 → 2 Put back`,
			`Ada Rex #${rex} Status available → sold Put back`,
		];
		expect(await readLines()).toEqual(changes);

		await page.getByLabel("By whom").fill("Ben");
		await page.keyboard.press("Enter");
		await until(async () => (await readLines()).length === 2);
		await page.getByLabel("Id of an animal").fill(rex);
		await page.keyboard.press("Enter");
		await until(async () => (await readLines()).length === 1);
		expect(page.url()).toEndWith(`#history?by=Ben&pet=${rex}`);
		await page.reload();
		await rowsOf(page, rex).waitFor();
		expect(await readLines()).toEqual(changes.slice(0, 1));
		await page.goBack();
		await until(async () => (await readLines()).length === 2);
		await page.getByRole("button", { name: "Clear" }).click();
		await until(async () => (await readLines()).length === 3);

		await page.getByLabel("Id of an animal").fill("Rex");
		await page.keyboard.press("Enter");
		await page.getByText("Enter a whole number.").waitFor();
		await page.getByLabel("Id of an animal").fill("999999999");
		await page.keyboard.press("Enter");
		await page.getByText("No change matches").waitFor();
		opened().visits.takeStatuses(404);
	});

	test("puts back what was changed and what was removed, and leads to the animal", async () => {
		const id = await addPet("Mia");
		await act("Ben", id, { status: "sold" });
		await act("Ben", id);
		const page = await opened().visits.open(`#history?pet=${id}`);
		const rows = rowsOf(page, id);
		await rows.getByText("Removed").waitFor();
		const putBack = page.getByRole("button", {
			name: `Put back Mia, animal ${id}`,
		});
		await putBack.first().click();
		await page.getByText(/^Put back: .+Mia/).waitFor();
		await until(async () => (await rows.count()) === 4);
		const readStatus = async () =>
			(await (await opened().service.call(`/v1/pets/${id}`)).json()).status;
		expect(await readStatus()).toBe("sold");

		// By keyboard, the content of before the sale.
		await rows.filter({ hasText: "sold" }).last().getByRole("button").focus();
		await page.keyboard.press("Enter");
		await until(async () => (await readStatus()) === "available");
		await rows.first().getByRole("link").click();
		await page.getByRole("heading", { name: `Animal ${id}` }).waitFor();
	});

	test("has pages, and new changes appear at the top", async () => {
		const id = await addPet("Many");
		for (let count = 0; count < 60; count++)
			await act("Ada", id, { name: `Many ${count}` });
		const page = await opened().visits.open(`#history?pet=${id}`);
		await page.clock.install();
		const rows = rowsOf(page, id);
		await until(async () => (await rows.count()) === 50);
		await page.getByRole("button", { name: "Show older changes" }).click();
		// With the add of the animal.
		await until(async () => (await rows.count()) === 61);
		await act("Ben", id, { status: "sold" });
		await page.clock.fastForward(10_000);
		await until(async () => (await rows.count()) === 62);
		expect(await rows.first().innerText()).toContain("Ben");
	});
});
