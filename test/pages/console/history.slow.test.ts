// The history in a real browser, on both engines: who changed what, and how to undo it.
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

	/** Without `set`, removes the animal. */
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
					.replace(/\S+ \S+ \S+, \d\d:\d\d/, "")
					.split(/\s+/)
					.join(" "),
			);
		const changes = [
			`Rex #${rex} Status sold → pending Ben Put back`,
			`Tommy #${tom} Name Tom → Tommy Category 1 → 2 Ben Put back`,
			`Rex #${rex} Status available → sold Ada Put back`,
		];
		expect(await readLines()).toEqual(changes);

		await page.getByLabel("By whom").fill("Ben");
		await page.keyboard.press("Enter");
		await until(async () => (await readLines()).length === 2);
		await page.getByLabel("Animal's id").fill(rex);
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

		await page.getByLabel("Animal's id").fill("999999999");
		await page.keyboard.press("Enter");
		await page.getByText("No change matches").waitFor();
		await opened().visits.takeStatuses(404);
	});

	test("restores a changed and a removed animal, and links to it", async () => {
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
		await page.getByText("“\u2068Mia\u2069” is back.").waitFor();
		await until(async () => (await rows.count()) === 4);
		expect(await rows.locator(".kind").allInnerTexts()).toEqual([
			...["Put back", "Removed", "Added"],
		]);
		const readStatus = async () =>
			(await (await opened().service.call(`/v1/pets/${id}`)).json()).status;
		expect(await readStatus()).toBe("sold");

		// Restores the content before the sale, by keyboard.
		await rows.filter({ hasText: "sold" }).last().getByRole("button").focus();
		await page.keyboard.press("Enter");
		await until(async () => (await readStatus()) === "available");
		await rows.first().getByRole("link").click();
		await page.getByRole("heading", { name: `Animal ${id}` }).waitFor();
	});

	test("undoes a restore", async () => {
		const id = await addPet("Biscuit");
		await act("Ben", id, { name: "Deluxe" });
		await act("Ben", id, { status: "sold" });
		const page = await opened().visits.open("#history");
		const rows = rowsOf(page, id);
		const readPet = async () => {
			const response = await opened().service.call(`/v1/pets/${id}`);
			if (response.status === 404) return "removed";
			const { name, status } = await response.json();
			return `${name} ${status}`;
		};
		const undo = page.getByRole("button", { name: "Undo" });
		await rows.last().getByRole("button", { name: "Put back" }).click();
		await page.getByText("is as it was before this change.").waitFor();
		expect(await readPet()).toBe("Biscuit available");
		await undo.click();
		await until(async () => (await readPet()) === "Deluxe sold");

		await act("Ben", id);
		await page.reload();
		await rows.getByText("Removed").waitFor();
		await rows.first().getByRole("button", { name: "Put back" }).click();
		await page.getByText(/Deluxe.+ is back\.$/).waitFor();
		await rows.first().getByText("Put back", { exact: true }).waitFor();
		expect(await readPet()).toBe("Deluxe sold");
		await undo.click();
		await until(async () => (await readPet()) === "removed");
	});

	test("keeps the input in the filters after a refresh, and refuses a word as an id", async () => {
		await act("Ada", await addPet("Rex"), { status: "sold" });
		const page = await opened().visits.open("#history");
		await page.locator(".entries").waitFor();
		const box = page.getByLabel("Animal's id");
		await box.fill("Rex");
		await act("Ben", await addPet("Tom"), { status: "sold" });
		await page.getByRole("link", { name: "Tom", exact: true }).waitFor();
		expect(await box.inputValue()).toBe("Rex");
		await box.press("Enter");
		expect(await box.evaluate((own) => own.matches(":invalid"))).toBe(true);
		expect(page.url()).toEndWith("#history");
	});

	test("shows 50 changes at a time, and new ones at the top", async () => {
		const id = await addPet("Many");
		for (let count = 0; count < 60; count++)
			await act("Ada", id, { name: `Many ${count}` });
		const page = await opened().visits.open(`#history?pet=${id}`);
		const rows = rowsOf(page, id);
		await until(async () => (await rows.count()) === 50);
		await page.getByRole("button", { name: "Show older changes" }).click();
		// With the entry of the add.
		await until(async () => (await rows.count()) === 61);
		await act("Ben", id, { status: "sold" });
		await until(async () => (await rows.count()) === 62);
		expect(await rows.first().innerText()).toContain("Ben");
	});
});
