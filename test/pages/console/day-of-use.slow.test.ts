// What a day of use met, on a phone with touch and in forced colours.
import { describe, expect, test } from "bun:test";
import { renameSync } from "node:fs";
import type { Page } from "playwright-core";
import { dialogOf, press, until } from "../visit.ts";
import { chooseStatus, describeConsole, openDrawer, rowOf } from "./visit.ts";

const ways = {
	"a phone": {
		viewport: { width: 360, height: 740 },
		hasTouch: true,
		isMobile: true,
	},
	"forced colours": { forcedColors: "active" },
} as const;

await describeConsole((opened) => {
	describe.each(Object.entries(ways))("%s", (way, look) => {
		const open = (hash?: string) => opened().visits.open(hash, look);
		const readPet = (id: string) => opened().readPet(id);
		const isPhone = way === "a phone";
		const toName = (what: string) => `${what} ${isPhone ? "P" : "F"}`;
		const post = (path: string, body = {}) =>
			opened().service.call(`/operator/v1${path}`, {
				method: "POST",
				body: JSON.stringify(body),
			});

		async function fill(page: Page, name: string): Promise<void> {
			await press(page, "Add an animal");
			await dialogOf(page).getByLabel("Name").fill(name);
			await dialogOf(page).getByLabel("Category").fill("1");
		}

		test("repeats an add after a lost reply, but adds another animal in another dialog", async () => {
			const page = await open();
			page.on("dialog", (dialog) => dialog.accept());
			const name = toName("Twin");
			await page.route(
				"**/operator/v1/pets",
				async (route) => {
					await route.fetch();
					await route.fulfill({ status: 503 });
				},
				{ times: 2 },
			);
			for (const added of [1, 2]) {
				await fill(page, name);
				await press(page, "Add");
				await dialogOf(page).getByRole("alert").waitFor();
				if (added === 1) await press(page, "Cancel");
				else await press(page, "Add");
				await dialogOf(page).waitFor({ state: "detached" });
				expect(await opened().count(`name=${name}`)).toBe(added);
			}
			await opened().visits.takeStatuses(503);
		});

		test("shows what others did while a pointer rests on a row, or after a touch", async () => {
			const [name, other] = [toName("Touched"), toName("Untouched")];
			await opened().addPet(name);
			const page = await open("#catalogue?search=ouched");
			const cell = rowOf(page, name).locator("[data-title=Id]").first();
			await (isPhone ? cell.tap() : cell.hover());
			await opened().addPet(other);
			await rowOf(page, other).waitFor();
		});

		test("refuses the Undo of an old message after the change of somebody else, and after a restore", async () => {
			const name = toName("Old");
			const id = await opened().addPet(name);
			const page = await open(`#catalogue?search=${name}`);
			/** Others act at the last moment: when the page has sent its request. */
			const expectRefused = async (
				status: string,
				words: RegExp,
				act: () => Promise<void>,
			) => {
				await page.route(
					"**/undo?*",
					(route) => act().then(() => route.continue()),
					{ times: 1 },
				);
				await press(page, "Undo");
				await page.locator(".toast.failure").getByText(words).waitFor();
				expect(await readPet(id)).toMatchObject({ status });
				opened().visits.expectStatuses(409);
			};
			await chooseStatus(page, name, "sold");
			await page.getByText("is sold.").waitFor();
			await expectRefused("sold", /has changed or removed/, async () => {
				for (const status of ["pending", "sold"] as const)
					await opened().service.store.catalogue.changePets([
						{ petId: BigInt(id), set: { status } },
					]);
			});
			await page.reload();
			await chooseStatus(page, name, "pending");
			await page.getByText("is pending.").waitFor();
			const backup = await (await post("/backups")).json();
			const animals = await opened().count();
			const path = `/backups/${backup.name}/restore`;
			await expectRefused("pending", /restored a backup/, async () => {
				expect((await post(path, { animals })).status).toBe(200);
			});
			await page.reload();
			await chooseStatus(page, name, "available");
			await page.getByText("is available.").waitFor();
			await expectRefused("pending", /has undone it/, async () => {
				const { edits } = await opened()
					.service.call("/operator/v1/edits?limit=1")
					.then((reply) => reply.json());
				expect((await post(`/edits/${edits[0].id}/undo`)).status).toBe(200);
			});
		});

		test("begins the next animal with its own status, and submits one that is called “next” by Ctrl+Enter", async () => {
			const page = await open();
			await fill(page, "next");
			const dialog = dialogOf(page);
			await dialog.getByLabel("Status").selectOption("sold");
			await press(page, "Add and next");
			const said = dialog.getByText("“\u2068next\u2069”");
			await said.waitFor();
			const id = (await said.textContent())?.match(/\d+/)?.[0] ?? "";
			expect(await dialog.getByLabel("Status").inputValue()).toBe("available");
			expect(await dialog.getByLabel("Category").inputValue()).toBe("1");
			await press(page, "Cancel");
			await page.goto(`${opened().service.url}/console#catalogue?pet=${id}`);
			const field = page.locator(".drawer").getByLabel("Name");
			await field.press("Control+Enter");
			await page.locator(".drawer").waitFor({ state: "detached" });
		});

		test("closes the drawer by Escape when a row has the focus, and asks before a reload loses what was typed", async () => {
			const name = toName("Typed");
			await opened().addPet(name);
			const page = await open(`#catalogue?search=${name}`);
			await openDrawer(page, name);
			// A menu closes first.
			await page.getByRole("button", { name: "Export" }).press("Enter");
			const menu = page.locator(".choices");
			await menu.waitFor();
			await page.keyboard.press("Escape");
			await menu.waitFor({ state: "hidden" });
			expect(await page.locator(".drawer").count()).toBe(1);
			await rowOf(page, name).getByRole("button").focus();
			await page.keyboard.press("Escape");
			await page.locator(".drawer").waitFor({ state: "detached" });
			await openDrawer(page, name);
			await page.locator(".drawer").getByLabel("Name").pressSequentially("x");
			const asked: string[] = [];
			page.on("dialog", (dialog) => {
				asked.push(dialog.type());
				void dialog.accept();
			});
			await page.reload();
			expect(asked).toEqual(["beforeunload"]);
		});

		test("reads the categories once, and no other path than that of an animal", async () => {
			const page = await open();
			const asked: string[] = [];
			page.on("request", (request) => asked.push(request.url()));
			await page.goto(
				`${opened().service.url}/console#catalogue?pet=..%2Fkeys%3F`,
			);
			await page.locator(".drawer .notice").waitFor();
			expect(asked.filter((url) => url.includes("/v1/keys"))).toEqual([]);
			await page.goto(`${opened().service.url}/console#categories`);
			await page.getByRole("heading", { name: "Categories" }).waitFor();
			let [running, most] = [0, 0];
			const isOfCategories = (url: string) => url.includes("/categories?");
			page.on("request", (one) => {
				if (isOfCategories(one.url())) most = Math.max(most, ++running);
			});
			page.on("requestfinished", (one) => {
				if (isOfCategories(one.url())) running--;
			});
			// Requests of the document before end without an event.
			page.on("framenavigated", () => {
				running = 0;
				most = 0;
			});
			await page.reload();
			for (let count = 0; count < 2; count++)
				await page.waitForResponse((one) => isOfCategories(one.url()));
			expect(most).toBe(1);
		});

		test("offers to undo an add, shows it in the history, and asks about a blank name", async () => {
			const page = await open();
			const name = toName("Undone");
			await fill(page, name);
			await press(page, "Add");
			await press(page, "Undo");
			await until(async () => (await opened().count(`name=${name}`)) === 0);
			await page.getByRole("link", { name: "History" }).click();
			await page.getByText("added").first().waitFor();

			await page.getByRole("link", { name: "Catalogue" }).click();
			const before = await opened().count();
			let isSure = false;
			page.on("dialog", (dialog) =>
				isSure ? dialog.accept() : dialog.dismiss(),
			);
			await fill(page, "\u200b\t");
			await press(page, "Add");
			await dialogOf(page).getByRole("alert").waitFor();
			expect(await opened().count()).toBe(before);
			isSure = true;
			await press(page, "Add");
			await dialogOf(page).waitFor({ state: "detached" });
			expect(await opened().count()).toBe(before + 1);

			await press(page, "Import");
			await page.getByLabel("File").setInputFiles({
				name: "animals.csv",
				mimeType: "text/csv",
				buffer: Buffer.from("name,categoryId\nRex,1\n\u2800,1\n"),
			});
			await page.getByText("of 1 name nothing can be seen").waitFor();
		});

		test("asks for no key over plain HTTP from another machine", async () => {
			const { service, visits } = opened();
			const proxy = { server: service.url, bypass: "<-loopback>" };
			const url = "http://shop.example/console";
			const page = await visits.visit(url, { ...look, proxy });
			await page.getByRole("heading", { name: "Sign in" }).waitFor();
			await page.locator(".notice").waitFor();
			expect(await page.getByLabel("API key").count()).toBe(0);
		});

		test("says a refusal in other words than those for programs", async () => {
			const page = await open();
			const message = "The ETag of the filter has another epoch.";
			const body = JSON.stringify({ code: "precondition_failed", message });
			const options = { status: 412, body };
			await page.route("**/pets/batch", (route) => route.fulfill(options));
			await page.locator(".pets tbody .select input").first().click();
			await press(page, "Set sold");
			const failed = page.locator(".toast.failure");
			expect(await failed.textContent()).not.toContain("epoch");
			opened().visits.expectStatuses(412);
		});

		test("keeps a chosen row visible, and room for the view at a large zoom and on paper", async () => {
			const page = await open();
			await page.locator(".pets tbody .select input").first().click();
			const row = page.locator(".pets tbody .selected").first();
			await row.waitFor();
			const outline = await row.evaluate(
				(own) => getComputedStyle(own).outlineStyle,
			);
			expect(outline).toBe(isPhone ? "none" : "solid");
			await page.setViewportSize({ width: 320, height: 200 });
			await page.evaluate("scrollTo(0, 400)");
			const covered = await page.evaluate(() =>
				[...document.querySelectorAll(".bar, .dock, .found")]
					.filter((one) => getComputedStyle(one).position !== "static")
					.map((one) => one.getBoundingClientRect())
					.reduce((sum, { height }) => sum + height, 0),
			);
			expect(covered).toBeLessThanOrEqual(100);
			await page.emulateMedia({ media: "print" });
			expect(
				await page.locator(".bar, .dock").filter({ visible: true }).count(),
			).toBe(0);
		});
	});

	test("says on top of the status since when nothing can be saved", async () => {
		const { service, visits } = opened();
		const wal = `${service.databaseUrl.replace("sqlite:", "")}-wal`;
		const add = () =>
			service.call("/v1/pets", {
				method: "POST",
				body: '{"name":"Rex","categoryId":1}',
			});
		renameSync(wal, `${wal}.away`);
		expect((await add()).status).toBe(503);
		const { writeFailure } = await (
			await service.call("/operator/v1/status")
		).json();
		expect(Date.parse(writeFailure.since)).toBeGreaterThan(Date.now() - 60_000);
		const page = await visits.open("#status");
		await page.locator(".view > .failed").waitFor();
		renameSync(`${wal}.away`, wal);
		expect((await add()).status).toBe(201);
		await page.locator(".view > .failed").waitFor({ state: "detached" });
	});
});
