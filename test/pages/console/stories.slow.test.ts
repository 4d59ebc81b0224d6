// Tasks of a shop in the catalogue, in a real browser and on both engines.
import { describe, expect, test } from "bun:test";
import type { Page } from "playwright-core";
import { toPet } from "../../harness/pet.ts";
import { describeOnEngines } from "./engines.ts";
import { chooseStatus, openDrawer, rowOf, until } from "./visit.ts";

await describeOnEngines((opened, engine) => {
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

	/** Makes names unique, because a repeated test must not find its earlier animals. */
	let numbers = 0;
	const toNumber = () => ++numbers;

	const undo = (page: Page) =>
		page.getByRole("button", { name: "Undo" }).click();

	const selectAll = (page: Page) =>
		page.getByLabel("Select all animals that match").click();
	const press = (page: Page, name: string) =>
		page.getByRole("button", { name, exact: true }).click();
	const dialogOf = (page: Page) => page.getByRole("dialog");

	describe("Many animals", () => {
		test("changes all that match after a question with their number, loaded or not, with one undo", async () => {
			await addMany(1_150, "Crowd");
			const page = await opened().visits.open("#catalogue?categoryId=7");
			const count = async (status: string) => {
				const path = `/operator/v1/pets/count?categoryId=7&status=${status}`;
				return (await (await opened().service.call(path)).json()).pets;
			};
			await page.getByText("1,150 animals", { exact: true }).waitFor();
			await selectAll(page);
			await page.getByText("1,150 selected").waitFor();
			await press(page, "Set pending");
			await page
				.getByRole("dialog", { name: "Set 1,150 animals to pending?" })
				.waitFor();
			await press(page, "Cancel");
			expect(await count("pending")).toBe(0);

			// Somebody else adds one that matches just before.
			await page.route(
				"**/operator/v1/pets/batch",
				async (route) => {
					await addMany(1, "Latecomer");
					await route.continue();
				},
				{ times: 1 },
			);
			await press(page, "Set pending");
			await dialogOf(page).getByRole("button", { name: "Set" }).click();
			await page
				.getByRole("dialog", { name: "Set 1,151 animals to pending?" })
				.waitFor();
			opened().visits.expectStatuses(412);
			expect(await count("pending")).toBe(0);
			await dialogOf(page).getByRole("button", { name: "Set" }).click();
			await page.getByText("Set 1,151 animals to pending.").waitFor();
			expect(await count("pending")).toBe(1_151);
			await undo(page);
			await page.getByText("Undone: 1,151 animals.").waitFor();
			expect(await count("available")).toBe(1_151);
		});

		test("does nothing if somebody else has changed one of them, and names both", async () => {
			const name = `Meanwhile ${toNumber()}`;
			const ids = [await addPet(`${name} A`), await addPet(`${name} B`)];
			const page = await opened().visits.open(`#catalogue?search=${name}`);
			await page.getByLabel(`Select ${name} A`).click();
			await page.getByLabel(`Select ${name} B`).click();
			const set = { status: "pending" } as const;
			await page.route("**/operator/v1/pets/batch", async (route) => {
				await opened().service.store.catalogue.changePets(
					[{ petId: BigInt(ids[0] ?? ""), set }],
					{ by: { kind: "link", name: "Ben" }, at: Date.now() },
				);
				await route.continue();
			});
			await press(page, "Set sold");
			await page
				.getByText(
					/Meanwhile \d+ A.+ was changed by .Ben.\. Nothing was done\./,
				)
				.waitFor();
			opened().visits.expectStatuses(412);
			expect(await readPet(ids[0] ?? "")).toMatchObject(set);
			expect(await readPet(ids[1] ?? "")).toMatchObject({
				status: "available",
			});
		});

		test("selects what a search by id has found", async () => {
			const id = await addPet("Leader");
			const page = await opened().visits.open(`#catalogue?search=${id}`);
			await rowOf(page, "Leader").waitFor();
			await selectAll(page);
			await press(page, "Set pending");
			await page.getByText(/^Set “.Leader.” to pending\.$/).waitFor();
			expect(await readPet(id)).toMatchObject({ status: "pending" });
		});
	});

	describe("Undo in the console", () => {
		test("leaves an animal that somebody else has changed since, and names it", async () => {
			const name = `Since ${engine}`;
			await addPet(`${name} A`);
			const id = await addPet(`${name} B`);
			const page = await opened().visits.open(`#catalogue?search=${name}`);
			await rowOf(page, `${name} B`).waitFor();
			await selectAll(page);
			await press(page, "Set sold");
			await page.getByText("Set 2 animals to sold.").waitFor();
			const set = { status: "pending" } as const;
			await opened().service.store.catalogue.changePets([
				{ petId: BigInt(id), set },
			]);
			await undo(page);
			await page
				.getByText(/^Undone: 1 animal\. Changed since, .+Since \w+ B.+\.$/)
				.waitFor();
			expect(await readPet(id)).toMatchObject(set);
		});

		test("shows in the drawer who changed what, and restores an earlier content", async () => {
			const name = `Storied ${engine}`;
			const id = await addPet(name);
			const page = await opened().visits.open();
			await chooseStatus(page, name, "sold");
			await page.getByText("is sold.").waitFor();
			await openDrawer(page, name);
			const history = page.locator(".history");
			const changed = history.locator("tbody tr").first();
			await changed.getByText("available → sold").waitFor();
			await changed.getByText("Ada").waitFor();
			await history.getByText("Added").waitFor();
			await changed.getByRole("button", { name: "Put back" }).click();
			await page.getByRole("dialog").waitFor({ state: "detached" });
			expect(await readPet(id)).toMatchObject({ status: "available" });
		});
	});

	test("finds one of many animals by a part of its name or its id, and keeps the search in the address", async () => {
		const number = toNumber();
		const name = `Needle ${number} ${engine}`;
		const id = await addPet(name);
		await addMany(3_000, "Hay");
		const page = await opened().visits.open();
		page.setDefaultTimeout(15_000);
		await page.getByText(/^[\d,]+ animals$/).waitFor();
		for (const text of [`EEDLE ${number}`, id]) {
			await page.getByLabel("Search by name or id").fill(text);
			await page.waitForURL(`**search=${encodeURIComponent(text)}`);
			await page.getByText("1 found", { exact: true }).waitFor();
			await rowOf(page, name).waitFor();
		}
		await page.reload();
		await page.getByText("1 found", { exact: true }).waitFor();
		expect(await page.getByLabel("Search by name or id").inputValue()).toBe(id);
		await page.goBack();
		await page.getByText(/^[\d,]+ animals$/).waitFor();
		// On a busy machine a search can time out. The console then repeats it.
		await opened().visits.takeStatuses(503);
	}, 60_000);

	test.each(["007", "9999999999999999999"])(
		"finds %s in a name, although it is no id",
		async (digits) => {
			const name = `Agent ${digits} ${engine}`;
			await addPet(name);
			const page = await opened().visits.open(`#catalogue?search=${digits}`);
			await rowOf(page, name).waitFor();
		},
	);

	test("moves no row when a message appears or disappears, and covers none", async () => {
		const name = `Still ${toNumber()}`;
		for (let count = 0; count < 30; count++) await addPet(`${name} ${count}.`);
		const page = await opened().visits.open(`#catalogue?search=${name}`);
		const last = rowOf(page, `${name} 0.`);
		const toEnd = () =>
			page.evaluate("scrollTo(0, document.body.scrollHeight)");
		await last.waitFor();
		await toEnd();
		const place = await last.boundingBox();
		await last.getByLabel("Select").click();
		await chooseStatus(page, `${name} 0.`, "sold");
		await page.getByText("is sold.").waitFor();
		await toEnd();
		expect(await last.boundingBox()).toEqual(place);
		const dock = await page.locator(".dock").boundingBox();
		expect((place?.y ?? 0) + (place?.height ?? 0)).toBeLessThan(dock?.y ?? 0);
		await page.getByRole("button", { name: "Close the message" }).click();
		await page.locator(".toast").waitFor({ state: "detached" });
		expect(await last.boundingBox()).toEqual(place);
		await chooseStatus(page, `${name} 0.`, "pending");
		await undo(page);
		await page.getByText("Undone: 1 animal.").waitFor();
		expect(await last.boundingBox()).toEqual(place);
	});

	describe("Unsaved changes in the drawer", () => {
		test("keeps the input when somebody else removes the animal", async () => {
			const name = `Taken ${toNumber()}`;
			const id = await addPet(name);
			const page = await opened().visits.open(`#catalogue?pet=${id}`);
			const drawer = page.locator(".drawer");
			const field = drawer.getByLabel("Name");
			await field.fill("Typed");
			await opened().service.store.catalogue.changePets([
				{ petId: BigInt(id), set: undefined },
			]);
			await drawer.getByText("was removed.").waitFor({ timeout: 10_000 });
			expect(await field.inputValue()).toBe("Typed");
			await drawer.getByRole("button", { name: "Save" }).click();
			await drawer.getByText("was removed by the command line.").waitFor();
			expect(await field.inputValue()).toBe("Typed");
			await opened().visits.takeStatuses(404);
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

	test("names the filters of a search without results, and searches without them on request", async () => {
		const name = `Filtered ${toNumber()}`;
		await addPet(name);
		const page = await opened().visits.open(
			`#catalogue?search=${name}&status=sold&categoryId=9`,
		);
		await page
			.getByText(
				/^No animal matches this search in category .9. with status sold\.$/,
			)
			.waitFor();
		await page.getByRole("button", { name: "Search all animals" }).click();
		await rowOf(page, name).waitFor();
		expect(await page.getByLabel("Search by name or id").inputValue()).toBe(
			name,
		);
		await page.getByLabel("Category").fill("no such category");
		await page.keyboard.press("Enter");
		await page.getByText("No category is named").waitFor();
		expect(await page.locator(".pets").count()).toBe(0);
	});

	test("shows the last name of a removed animal in its drawer", async () => {
		const name = `Missed ${toNumber()}`;
		const id = await addPet(name);
		await opened().service.store.catalogue.changePets([
			{ petId: BigInt(id), set: undefined },
		]);
		const page = await opened().visits.open(`#catalogue?pet=${id}`);
		await page.getByText(`“\u2068${name}\u2069” was removed.`).waitFor();
	});

	test("changes rows below the pointer in place, and offers new animals", async () => {
		const number = toNumber();
		const toName = (letter: string) => `Row ${number}${letter}`;
		const [a, b, c, d] = [toName("A"), toName("B"), toName("C"), toName("D")];
		const ids = [await addPet(a), await addPet(b)];
		const page = await opened().visits.open(`#catalogue?search=row ${number}`);
		await rowOf(page, a).hover();
		const place = await rowOf(page, a).boundingBox();
		await opened().service.store.catalogue.changePets([
			{ petId: BigInt(ids[0] ?? ""), set: { status: "sold" } },
			{ petId: BigInt(ids[1] ?? ""), set: undefined },
		]);
		await addPet(c);
		await rowOf(page, a).locator("[data-value=sold]").first().waitFor();
		await page.locator(".removed").filter({ hasText: b }).waitFor();
		await page.getByText("1 new animal").waitFor();
		expect(await rowOf(page, a).boundingBox()).toEqual(place);
		await page.mouse.move(0, 0);
		await rowOf(page, c).waitFor();
		expect(await rowOf(page, b).count()).toBe(0);
		// The pointer is on no row, so the new animal appears at once.
		await addPet(d);
		await rowOf(page, d).waitFor();
	}, 60_000);
});
