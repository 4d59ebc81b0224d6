// Tasks of a shop in the catalogue, in a real browser.
import { describe, expect, test } from "bun:test";
import type { Page } from "playwright-core";
import { toPet } from "../../harness/pet.ts";
import { dialogOf, press, until } from "../visit.ts";
import { chooseStatus, describeConsole, openDrawer, rowOf } from "./visit.ts";

await describeConsole((opened) => {
	const addPet = (name: string) => opened().addPet(name);
	const readPet = (id: string) => opened().readPet(id);

	async function addMany(
		count: number,
		name: string,
		categoryId = 7n,
	): Promise<void> {
		const pet = toPet({ name, categoryId });
		const adds = Array.from({ length: count }, () =>
			opened().service.store.catalogue.addPet({ pet }),
		);
		await Promise.all(adds);
	}

	/** Somebody else changes an animal, or removes it. */
	const changePet = (
		id: string,
		set: { status: "sold" | "pending" } | undefined,
	) =>
		opened().service.store.catalogue.changePets([{ petId: BigInt(id), set }]);

	/** Makes names unique, because a repeated test must not find its earlier animals. */
	let numbers = 0;
	const toNumber = () => ++numbers;

	/** Does something just before the first change of the page. Without `times`: when a route ends, Chromium may hold later requests. */
	async function beforeFirst(page: Page, act: () => Promise<unknown>) {
		let isFirst = true;
		await page.route("**/operator/v1/pets/batch", async (route) => {
			if (isFirst) await act();
			isFirst = false;
			await route.continue();
		});
	}

	const selectAll = (page: Page) =>
		page.getByLabel("Select all animals that match").click();

	test("changes all that match after a question with their number, loaded or not, with one undo", async () => {
		await addMany(1_150, "Crowd");
		const other = await addPet("Other category");
		const page = await opened().visits.open("#catalogue?categoryId=7");
		const count = (status: string) =>
			opened().count(`categoryId=7&status=${status}`);
		await page.getByText("1,150 animals", { exact: true }).waitFor();
		await selectAll(page);
		// Somebody else adds one that matches just before.
		await beforeFirst(page, () => addMany(1, "Latecomer"));
		await press(page, "Set pending");
		await dialogOf(page).getByRole("button", { name: "Set" }).click();
		await dialogOf(page).getByRole("alert").waitFor();
		opened().visits.expectStatuses(412);
		expect(await count("pending")).toBe(0);
		await press(page, "Cancel");
		await page.getByText("1,151 animals", { exact: true }).waitFor();
		await press(page, "Set pending");
		await dialogOf(page).getByRole("button", { name: "Set" }).click();
		await page.getByText("Set 1,151 animals to pending.").waitFor();
		expect(await count("pending")).toBe(1_151);
		await press(page, "Undo");
		await page.getByText("Undone: 1,151 animals.").waitFor();
		expect(await count("available")).toBe(1_151);
		await selectAll(page);
		await press(page, "Remove");
		await dialogOf(page).getByRole("button", { name: "Remove" }).click();
		await page.getByText("Removed 1,151 animals.").waitFor();
		expect(await readPet(other)).toMatchObject({ status: "available" });
		expect(await count("available")).toBe(0);
	});

	test("finds one of many animals by a part of its name or its id, keeps the search in the address, and selects what it found", async () => {
		const name = "Needle 007 9999999999999999999";
		const id = await addPet(name);
		await addMany(3_000, "Hay");
		const page = await opened().visits.open();
		page.setDefaultTimeout(15_000);
		const search = page.getByLabel("Search by name or id");
		await page.getByText(/^[\d,]+ animals$/).waitFor();
		const counted: string[] = [];
		page.on("request", (request) => counted.push(request.url()));
		// The third has too many digits for an id.
		for (const text of ["EEDLE 0", "007", "9999999999999999999", id]) {
			await search.fill(text);
			await page.waitForURL(`**search=${encodeURIComponent(text)}`);
			await page.getByText("1 animal", { exact: true }).waitFor();
			await rowOf(page, name).waitFor();
		}
		// It counts only what it does not show.
		expect(counted.filter((url) => url.includes("/count"))).toEqual([]);
		await page.reload();
		await page.getByText("1 animal", { exact: true }).waitFor();
		expect(await search.inputValue()).toBe(id);
		await selectAll(page);
		await press(page, "Set pending");
		await page.getByText("Set 1 animal to pending.").waitFor();
		expect(await readPet(id)).toMatchObject({ status: "pending" });

		await page.goto(`${opened().service.url}/console#catalogue?search=hay`);
		const rows = rowOf(page, "Hay");
		for (const count of [100, 200]) {
			await until(async () => (await rows.count()) === count);
			await press(page, "Show more");
		}
		await search.fill("needle");
		const link = page.locator('a[href*="name=needle"]');
		await link.first().waitFor({ state: "attached" });
		await press(page, "Export");
		const downloading = page.waitForEvent("download");
		await page.getByRole("link", { name: "CSV", exact: true }).click();
		const csv = await Bun.file(await (await downloading).path()).text();
		expect(csv.trimEnd().split("\r\n")[1]).toStartWith(`${id},${name},`);
		expect(csv.trimEnd().split("\r\n")).toHaveLength(2);
		await page.goBack();
		await until(async () => (await search.inputValue()) === id);
		// On a busy machine a search can time out. The console then repeats it.
		await opened().visits.takeStatuses(503);
	}, 60_000);

	test("adds markup and a large number through the form, and shows both as text", async () => {
		const name = "<img src=x onerror=alert(1)>";
		const page = await opened().visits.open();
		page.on("dialog", () => expect("a dialog").toBe("no dialog"));
		await press(page, "Add an animal");
		await dialogOf(page).getByLabel("Name").fill(name);
		await dialogOf(page).getByLabel("Category").fill("9007199254740993");
		await press(page, "Add");
		const row = rowOf(page, name).filter({ hasText: "9007199254740993" });
		const id = await row.locator("[data-title=Id]").textContent();
		const response = await opened().service.call(`/v1/pets/${id}`);
		expect(await response.text()).toBe(
			`{"id":${id},"name":"${name}","categoryId":9007199254740993,"status":"available"}`,
		);
		expect(await page.locator(".pets img").count()).toBe(0);
	});

	test("shows the conflict when somebody else changed the status first, and overwrites nothing", async () => {
		const id = await addPet("Raced");
		const page = await opened().visits.open();
		const set = { status: "pending" } as const;
		await beforeFirst(page, () => changePet(id, set));
		await chooseStatus(page, "Raced", "sold");
		await page.getByText("Changed by somebody else").waitFor();
		opened().visits.expectStatuses(412);
		await press(page, "Keep theirs");
		expect(await readPet(id)).toMatchObject(set);
	});

	test("moves no row when a message appears or disappears, and covers none", async () => {
		const name = `Still ${toNumber()}`;
		for (let count = 0; count < 30; count++) await addPet(`${name} ${count}.`);
		const page = await opened().visits.open(`#catalogue?search=${name}`);
		const last = rowOf(page, `${name} 0.`);
		await last.waitFor();
		await page.evaluate("scrollTo(0, document.body.scrollHeight)");
		await last.getByLabel("Select").click();
		const place = await last.boundingBox();
		// The browser scrolls by what appears above the row.
		const toScrolled = () => page.evaluate("scrollY");
		const scrolled = await toScrolled();
		await chooseStatus(page, `${name} 0.`, "sold");
		await page.getByText("is sold.").waitFor();
		await page.context().setOffline(true);
		await page.getByText("Retrying").waitFor();
		expect(await toScrolled()).toBe(scrolled);
		expect(await last.boundingBox()).toEqual(place);
		const dock = await page.locator(".dock").boundingBox();
		expect((place?.y ?? 0) + (place?.height ?? 0)).toBeLessThan(dock?.y ?? 0);
		await press(page, "Close the message");
		await page.locator(".toast").waitFor({ state: "detached" });
		expect(await last.boundingBox()).toEqual(place);
		opened().visits.expectNoReplies();
	});

	describe("Unsaved changes in the drawer", () => {
		test("keeps the input when somebody else removes the animal", async () => {
			const name = `Taken ${toNumber()}`;
			const id = await addPet(name);
			const page = await opened().visits.open(`#catalogue?pet=${id}`);
			const drawer = page.locator(".drawer");
			const field = drawer.getByLabel("Name");
			await field.fill("Typed");
			await changePet(id, undefined);
			await drawer.getByText("was removed.").waitFor({ timeout: 10_000 });
			expect(await field.inputValue()).toBe("Typed");
			await drawer.getByRole("button", { name: "Save" }).click();
			await drawer.getByText("was removed by the command line.").waitFor();
			expect(await field.inputValue()).toBe("Typed");
			await opened().visits.takeStatuses(404);
			const other = await opened().visits.open(`#catalogue?pet=${id}`);
			await other.getByText("This animal was removed.").waitFor();
		});

		test("asks at every way to leave it, and keeps the input unless it is discarded", async () => {
			const name = `Unsaved ${toNumber()}`;
			await addPet(`${name} A`);
			await addPet(`${name} B`);
			const page = await opened().visits.open(`#catalogue?search=${name}`);
			await rowOf(page, `${name} A`).waitFor();
			const drawer = page.locator(".drawer");
			const field = drawer.getByLabel("Name");
			let isDiscarded = false;
			const asked: string[] = [];
			page.on("dialog", (dialog) => {
				asked.push(dialog.message());
				void (isDiscarded ? dialog.accept() : dialog.dismiss());
			});
			const ways = [
				() => page.getByRole("link", { name: "Keys" }).click(),
				() => page.goBack(),
				() => drawer.getByRole("button", { name: "Close" }).click(),
				() => drawer.getByRole("button", { name: "Cancel" }).click(),
				() => page.keyboard.press("Escape"),
				() => page.getByRole("button", { name: `Open ${name} B` }).click(),
			];
			await openDrawer(page, `${name} A`);
			await field.fill("Typed");
			const url = page.url();
			for (const leave of ways) {
				await leave();
				await until(async () => asked.splice(0).length === 1);
				expect(await field.inputValue()).toBe("Typed");
				expect(page.url()).toBe(url);
				await field.focus();
			}
			isDiscarded = true;
			await ways.at(-1)?.();
			await until(async () => (await field.inputValue()) === `${name} B`);
		});
	});

	test("moves no animal below a moving pointer, and shows what others did when the pointer rests or leaves", async () => {
		const number = toNumber();
		const [a, b] = [`Row ${number}A`, `Row ${number}B`];
		const id = await addPet(a);
		const page = await opened().visits.open(`#catalogue?search=row ${number}`);
		await rowOf(page, a).hover();
		const place = await rowOf(page, a).boundingBox();
		await addPet(b);
		const polled = /operator.v1.changes/;
		for (let count = 0; count < 2; count++) {
			await page.mouse.move((place?.x ?? 0) + 9 + count, (place?.y ?? 0) + 9);
			await page.waitForResponse(polled);
		}
		expect(await rowOf(page, a).boundingBox()).toEqual(place);
		expect(await rowOf(page, b).count()).toBe(0);
		await rowOf(page, b).waitFor();
		await changePet(id, undefined);
		await page.mouse.move(0, 0);
		await rowOf(page, a).waitFor({ state: "detached" });
	}, 60_000);
});
