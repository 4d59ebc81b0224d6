// The history in a real browser: who changed what, and the way back.
import { beforeAll, expect, test } from "bun:test";
import type { Page } from "playwright-core";
import { hasFocus, until } from "../visit.ts";
import { describeConsole } from "./visit.ts";

await describeConsole((opened) => {
	let keys: Record<"Ada" | "Ben", string>;
	beforeAll(async () => {
		const { service, key } = opened();
		const scope = "operator";
		keys = { Ada: key, Ben: await service.makeKey({ scope, name: "Ben" }) };
	});

	const addPet = (name: string) => opened().addPet(name);

	async function send(
		by: keyof typeof keys,
		[method, path]: readonly [method: string, path: string],
		body?: object,
	): Promise<void> {
		const response = await opened().service.call(`/operator/v1/pets${path}`, {
			method,
			authorization: `Bearer ${keys[by]}`,
			...(body && { body: JSON.stringify(body) }),
		});
		expect(response.ok).toBe(true);
	}

	/** Without `set`, removes the animal. */
	const act = (by: keyof typeof keys, id: string, set?: object) =>
		send(by, [set ? "PATCH" : "DELETE", `/${id}`], set);

	const readPet = async (id: string) => {
		const response = await opened().service.call(`/v1/pets/${id}`);
		if (response.status === 404) return "removed";
		const { name, status } = await response.json();
		return `${name} ${status}`;
	};

	const rowsOf = (page: Page) => page.locator(".entries tbody tr");
	const readLines = async (page: Page) =>
		(await rowsOf(page).allInnerTexts()).map((row) =>
			row
				.replace(/\S+ \S+ \S+, \d\d:\d\d/, "")
				.replace(/[\u2068\u2069]/g, "")
				.split(/\s+/)
				.join(" ")
				.trim(),
		);
	const expectLines = async (page: Page, ...lines: readonly string[]) => {
		await until(
			async () => (await readLines(page)).length === lines.length,
		).catch(() => {});
		expect(await readLines(page)).toEqual([...lines]);
	};
	const search = async (page: Page, label: string, text: string) => {
		await page.getByLabel(label).fill(text);
		await page.keyboard.press("Enter");
	};

	test("lists edits, opens one to its entries, undoes it, and undoes the undo", async () => {
		const ids = [await addPet("Rex"), await addPet("Tom"), await addPet("Mia")];
		const [rex = "", tom = "", mia = ""] = ids;
		await act("Ada", rex, { status: "sold" });
		await send("Ben", ["POST", "/batch"], {
			changes: [rex, tom, mia].map((id) => ({
				petId: Number(id),
				set: { status: "pending" },
			})),
		});
		const page = await opened().visits.open("#history");
		const changed = `Ada changed Rex #${rex} Status available → sold Undo`;
		await expectLines(page, "Ben changed 3 animals Undo", changed);

		await page.getByRole("link", { name: "changed 3 animals" }).click();
		await expectLines(
			page,
			"Ben changed 3 animals Undo",
			`Mia #${mia} Status available → pending Ben Put back`,
			`Tom #${tom} Status available → pending Ben Put back`,
			`Rex #${rex} Status sold → pending Ben Put back`,
		);
		// One of them is put back alone, and stays as it is.
		await page.getByRole("button", { name: "Put back Mia" }).click();
		await page.getByText("Put back “\u2068Mia\u2069”.").waitFor();
		expect(await readPet(mia)).toBe("Mia available");
		await page.getByRole("button", { name: "Undo: \u2068Ben" }).click();
		await page
			.getByText(/^Undone: 2 animals\. Changed since, .+Mia.+\.$/)
			.waitFor();
		expect(await readPet(rex)).toBe("Rex sold");
		expect(await readPet(tom)).toBe("Tom available");

		await page.getByRole("button", { name: "All changes" }).click();
		await expectLines(
			page,
			"Ada undid a change of 2 animals 2 changed Undo",
			`Ada changed Mia #${mia} Status pending → available Undo`,
			"Ben changed 3 animals Undone by Ada",
			changed,
		);
		await page.getByRole("button", { name: /undid/ }).click();
		await page.getByText("Undone: 2 animals.").waitFor();
		expect(await readPet(tom)).toBe("Tom pending");
		// The button that had the focus is gone.
		const heading = page.getByRole("heading", { name: "History" });
		await until(() => heading.evaluate(hasFocus));
	});

	test("finds entries by a part of the name, the author and the id, also of removed animals, and puts one back", async () => {
		const [one, other] = [await addPet("Biscuit"), await addPet("Risky")];
		await act("Ben", one, { status: "sold" });
		await act("Ben", one);
		await act("Ada", other);
		const page = await opened().visits.open("#history");
		const asked: string[] = [];
		page.on("request", (request) => asked.push(request.url()));
		await page.getByLabel("Search by name").pressSequentially("ISC");
		const entries = [
			`Biscuit #${one} Removed Ben Put back`,
			`Biscuit #${one} Status available → sold Ben Put back`,
		];
		await expectLines(page, ...entries);
		// Not for each letter.
		expect(asked.filter((url) => url.includes("?name="))).toHaveLength(1);
		await page.getByLabel("Search by name").fill("isk");
		const removed = `Risky #${other} Removed Ada Put back`;
		await expectLines(page, removed);
		await page.getByLabel("Search by name").fill("is");
		await expectLines(page, removed, ...entries);
		await search(page, "By whom", "Ada");
		await expectLines(page, removed);
		await page.getByRole("button", { name: "Clear" }).click();
		await search(page, "Animal's id", one);
		await expectLines(page, ...entries);
		await page.reload();
		await expectLines(page, ...entries);
		await search(page, "By whom", "Ada");
		await page.getByText("No change matches").waitFor();
		await page.goBack();
		await expectLines(page, ...entries);

		await page
			.getByRole("button", { name: "Put back Biscuit" })
			.first()
			.click();
		await page.getByText("Put back “\u2068Biscuit\u2069”.").waitFor();
		await expectLines(page, `Biscuit #${one} Put back Ada`, ...entries);
		expect(await readPet(one)).toBe("Biscuit sold");
		// The message undoes it.
		await page.getByRole("button", { name: "Undo" }).click();
		await until(async () => (await readPet(one)) === "removed");
		await rowsOf(page).first().getByRole("link").click();
		await page.getByRole("heading", { name: `Animal ${one}` }).waitFor();
	});

	test("keeps the input in the filters after a refresh, and refuses a word as an id", async () => {
		await act("Ada", await addPet("Rex"), { status: "sold" });
		const page = await opened().visits.open("#history");
		await page.locator(".entries").waitFor();
		const box = page.getByLabel("Animal's id");
		await box.fill("Rex");
		await act("Ben", await addPet("Tim"), { status: "sold" });
		await page.getByRole("link", { name: "Tim", exact: true }).waitFor();
		expect(await box.inputValue()).toBe("Rex");
		await box.press("Enter");
		expect(await box.evaluate((own) => own.matches(":invalid"))).toBe(true);
		expect(page.url()).toEndWith("#history");
	});

	test("shows 100 changes at a time, and new ones at the top", async () => {
		const id = await addPet("Many");
		for (let count = 0; count < 110; count++)
			await act("Ada", id, { name: `Many ${count}` });
		const page = await opened().visits.open(`#history?pet=${id}`);
		const rows = rowsOf(page);
		await until(async () => (await rows.count()) === 100);
		await page.getByRole("button", { name: "Show more" }).click();
		await until(async () => (await rows.count()) === 110);
		await act("Ben", id, { status: "sold" });
		await until(async () => (await rows.count()) === 111);
		expect(await rows.first().innerText()).toContain("Ben");
	});
});
