// The console in a real browser, on both engines: sessions, animals, keys, backups. The log of the browser must stay empty, and no
// request may leave the origin.
import {
	afterAll,
	afterEach,
	beforeAll,
	describe,
	expect,
	test,
} from "bun:test";
import { readdirSync } from "node:fs";
import type { Page } from "playwright-core";
import { buildPages } from "../../../build/pages.ts";
import { generateToken } from "../../../src/domain/token.ts";
import { openBrowser } from "../../harness/browser.ts";
import { makeKey } from "../../harness/key.ts";
import { temporaryFolder } from "../../harness/temporary.ts";
import {
	add,
	idOf,
	openService,
	type Service,
	startMs,
} from "../../service.ts";
import {
	chooseStatus,
	createVisits,
	openDrawer,
	rowOf,
	until,
	type Visits,
} from "./visit.ts";

const browser = await openBrowser();
if (browser === undefined)
	console.warn(
		"No browser on this machine: the tests of the console in one are skipped.",
	);
else await buildPages();
afterAll(() => browser?.close());

describe.skipIf(browser === undefined).each(["sqlite", "postgres"] as const)(
	"%s",
	(engine) => {
		let service: Service;
		let key: string;
		let visits: Visits;
		const folder = temporaryFolder();
		beforeAll(async () => {
			const backups = folder.path;
			service = await openService("over a socket", { engine, backups });
			key = await service.makeKey({ scope: "operator" });
			if (browser !== undefined)
				visits = await createVisits(browser, service, key);
		}, startMs);
		afterAll(async () => {
			await service.close();
			folder.remove();
		});
		afterEach(() => visits.end());

		/** Adds an animal. Each test uses names of its own. */
		async function addPet(name: string): Promise<string> {
			const pet = await add(service, `{"name":"${name}","categoryId":1}`);
			return String(idOf(pet));
		}

		async function readPet(id: string): Promise<unknown> {
			const response = await service.call(`/v1/pets/${id}`);
			return response.status === 404 ? undefined : response.json();
		}

		async function signIn(page: Page, key: string): Promise<void> {
			await page.getByLabel("API key").fill(key);
			await page.getByRole("button", { name: "Sign in" }).click();
		}

		const dialogOf = (page: Page) => page.getByRole("dialog");

		describe("Signing in to the console", () => {
			test("refuses a key without the operator scope, and says why", async () => {
				const page = await visits.openSignedOut();
				await signIn(page, await service.makeKey({ scope: "read" }));
				await page.getByText("its scope is read").waitFor();
				visits.expectStatuses(403);
			});

			async function makeLink(name?: string): Promise<string> {
				const { token, hash } = generateToken();
				const expiresAt = Date.now() + 60_000;
				await service.store.sessions.addLink({ hash, expiresAt, name });
				return token;
			}

			test("shows in the bar the person whom the link names, or the key", async () => {
				const page = await visits.openSignedOut(
					`#link=${await makeLink("Ada")}`,
				);
				await page.getByRole("banner").getByText("Ada").waitFor();
				const other = await visits.open();
				await other.getByRole("banner").getByText("test").waitFor();
			});

			test("signs in by a link that is opened in a tab with the console", async () => {
				const page = await visits.openSignedOut();
				await page.getByRole("heading", { name: "Sign in" }).waitFor();
				await page.goto(`${service.url}/console#link=${await makeLink()}`);
				await page.getByRole("heading", { name: "Catalogue" }).waitFor();
				expect(page.url()).toBe(`${service.url}/console`);
			});

			test("signs in once by a link, and removes the link from the address bar", async () => {
				const token = await makeLink();
				const page = await visits.openSignedOut(`#link=${token}`);
				await page.getByRole("heading", { name: "Catalogue" }).waitFor();
				expect(page.url()).toBe(`${service.url}/console`);
				expect(await page.evaluate(() => history.length)).toBeLessThan(3);

				await page.getByText("by link").waitFor();
				await page.getByRole("button", { name: "Sign out" }).click();
				await page.getByRole("heading", { name: "Sign in" }).waitFor();
				await page.getByText("You are signed out.", { exact: true }).waitFor();

				const again = await visits.openSignedOut(`#link=${token}`);
				await again.getByText("The link is not valid").waitFor();
				await visits.takeStatuses(401);
			});

			test("hides the session from scripts", async () => {
				const page = await visits.open();
				const stored = await page.evaluate(() => [
					document.cookie,
					localStorage.length,
					sessionStorage.length,
				]);
				expect(stored).toEqual(["", 0, 0]);
			});

			test("signs out the holder of a revoked key, and keeps the input", async () => {
				const name = `revoked ${engine}`;
				const id = await addPet(name);
				const page = await visits.openSignedOut();
				const own = await service.makeKey({ scope: "operator" });
				await signIn(page, own);
				await openDrawer(page, name);
				await dialogOf(page).getByLabel("Name").fill("typed before");
				const { id: keyId = 0 } =
					(await service.store.keys.list()).at(-1) ?? {};
				await service.store.keys.revoke(keyId, Date.now());
				// The service caches a session for half a second.
				await Bun.sleep(600);
				await page.getByRole("button", { name: "Save" }).click();
				await page.getByText("Your session has ended.").waitFor();
				await page.getByText("petstore console").waitFor();
				await visits.takeStatuses(401);
				await signIn(page, key);
				await page
					.getByRole("heading", { name: "Signed out" })
					.waitFor({ state: "detached" });
				expect(await page.getByText("session has ended").count()).toBe(0);
				await page.getByRole("button", { name: "Save" }).click();
				await rowOf(page, "typed before").waitFor();
				expect(await readPet(id)).toMatchObject({ name: "typed before" });
			});
		});

		test("closes the sign-in dialog after a sign-in in another tab", async () => {
			const page = await visits.open();
			const cookies = await page.context().cookies();
			await page.context().clearCookies();
			// The page follows the feed, so it notices.
			await page.getByRole("heading", { name: "Signed out" }).waitFor();
			await visits.takeStatuses(401);
			await page.context().addCookies(cookies);
			await page.evaluate(() =>
				document.dispatchEvent(new Event("visibilitychange")),
			);
			await page
				.getByRole("heading", { name: "Signed out" })
				.waitFor({ state: "detached" });
		});

		describe("the catalogue", () => {
			test("adds an animal with all its digits, edits it and sells it", async () => {
				const page = await visits.open();
				await page.getByRole("button", { name: "Add an animal" }).click();
				await dialogOf(page).getByLabel("Name").fill("Exact");
				await dialogOf(page).getByLabel("Category").fill("9007199254740993");
				await page.getByRole("button", { name: "Add", exact: true }).click();
				const row = rowOf(page, "Exact").filter({
					hasText: "9007199254740993",
				});
				await row.waitFor();
				const id = await row.locator("[data-title=Id]").textContent();

				await openDrawer(page, "Exact");
				await dialogOf(page).getByLabel("Name").fill("Exactly");
				await page.keyboard.press("Enter");
				await rowOf(page, "Exactly").waitFor();

				await chooseStatus(page, "Exactly", "sold");
				await page.getByText(/^“.Exactly.” is sold\.$/).waitFor();
				const response = await service.call(`/v1/pets/${id}`);
				expect(await response.text()).toBe(
					`{"id":${id},"name":"Exactly","categoryId":9007199254740993,"status":"sold"}`,
				);
			});

			test("shows a name with markup as text", async () => {
				const name = "<img src=x onerror=alert(1)><script>alert(1)</script>";
				await addPet(name);
				const page = await visits.open();
				page.on("dialog", () => expect("a dialog").toBe("no dialog"));
				await rowOf(page, name).first().waitFor();
				expect(await page.locator(".pets img, .pets script").count()).toBe(0);
			});

			test("finds animals by search and filters, and says when no animal matches", async () => {
				await addPet("Needle One");
				const page = await visits.open();
				await page.getByLabel("Search by name or id").fill("nEEdle o");
				await rowOf(page, "Needle One").waitFor();
				await page
					.locator(".pets")
					.getByText("Rex")
					.first()
					.waitFor({ state: "detached" });
				await page.getByRole("radio", { name: "sold" }).check();
				await page.getByText(/^No animal .+ with status sold\.$/).waitFor();
				await page.getByRole("button", { name: "Search all animals" }).click();
				await rowOf(page, "Needle One").waitFor();
				await page.getByLabel("Category").fill("no such category");
				await page.keyboard.press("Enter");
				await page.getByText("No category is named").waitFor();
				expect(await page.locator(".pets").count()).toBe(0);
			});

			test("shows further pages on request", async () => {
				for (let count = 0; count < 3; count++)
					await Promise.all(
						Array.from({ length: 100 }, (_, n) =>
							addPet(`Many ${100 * count + n}`),
						),
					);
				const page = await visits.open("#catalogue?search=many");
				const rows = rowOf(page, "Many");
				for (const count of [100, 200]) {
					await until(async () => (await rows.count()) === count);
					await page.getByRole("button", { name: "Show more" }).click();
				}
				await page.getByText("300 found", { exact: true }).waitFor();
			});
		});

		test("skips a selected animal that somebody else has removed", async () => {
			const ids = [await addPet("Batch C"), await addPet("Batch D")];
			const page = await visits.open();
			for (const name of ["Batch C", "Batch D"])
				await page.getByLabel(`Select ${name}`).check();
			await page.route("**/pets/batch", async (route) => {
				await service.store.catalogue.changePets([
					{ petId: BigInt(ids[1] ?? ""), set: undefined },
				]);
				await route.continue();
			});
			await page.getByRole("button", { name: "Set pending" }).click();
			await page
				.getByText("Changed by somebody else since: 1 animal.")
				.waitFor();
			visits.expectStatuses(404);
			expect(await readPet(ids[0] ?? "")).toMatchObject({ status: "pending" });
		});

		describe("A change by somebody else", () => {
			test("shows both versions to the second of two people who edit an animal, and lets them choose", async () => {
				const name = `Shared ${engine}`;
				const id = await addPet(name);
				const [one, other] = [await visits.open(), await visits.open()];
				for (const page of [one, other]) await openDrawer(page, name);
				await dialogOf(one).getByLabel("Name").fill("From one");
				await one.getByRole("button", { name: "Save" }).click();
				await rowOf(one, "From one").waitFor();

				await dialogOf(other).getByLabel("Name").fill("From other");
				await other.getByRole("button", { name: "Save" }).click();
				await other.getByText("Changed by somebody else").waitFor();
				visits.expectStatuses(412);
				expect(await readPet(id)).toMatchObject({ name: "From one" });
				const versions = await dialogOf(other).locator(".differs").innerText();
				expect(versions).toBe("Name\tFrom one\tFrom other");
				await other.getByText("test changed animal").waitFor();
				await other.getByRole("button", { name: "Use mine" }).click();
				await rowOf(other, "From other").waitFor();
				expect(await readPet(id)).toMatchObject({ name: "From other" });
			});

			test("shows the conflict when somebody else changed the status first, and overwrites nothing", async () => {
				const name = `Raced ${engine}`;
				const id = await addPet(name);
				const page = await visits.open();
				let isRaced = false;
				await page.route("**/pets/batch", async (route) => {
					if (!isRaced) {
						isRaced = true;
						await service.send(
							new Request(`${service.url}/operator/v1/pets/${id}`, {
								method: "PATCH",
								headers: {
									Authorization: `Bearer ${key}`,
									"Content-Type": "application/merge-patch+json",
								},
								body: '{"status":"pending"}',
							}),
						);
					}
					await route.continue();
				});
				await chooseStatus(page, name, "sold");
				await page.getByText("Changed by somebody else").waitFor();
				visits.expectStatuses(412);
				await page.getByRole("button", { name: "Keep theirs" }).click();
				expect(await readPet(id)).toMatchObject({ status: "pending" });
			});
		});

		test("makes a key, shows its secret once, and changes and revokes it", async () => {
			const page = await visits.open("#keys");
			await page.getByRole("button", { name: "Make a key" }).click();
			await dialogOf(page).getByLabel("Name").fill(`shop ${engine}`);
			await dialogOf(page).getByLabel("Scope").selectOption("read");
			await page.getByRole("button", { name: "Make the key" }).click();
			const secret = await page.getByLabel("API key").inputValue();
			expect(secret).toMatch(/^pet_\w{38}$/);
			await page.getByRole("button", { name: "I have copied it" }).click();
			const list = (authorization: string) =>
				service.call("/v1/pets?limit=1", { authorization });
			expect((await list(`Bearer ${secret}`)).status).toBe(200);

			const row = rowOf(page, `shop ${engine}`);
			await row.getByRole("button", { name: "Change" }).click();
			await dialogOf(page).getByLabel("Name").fill(`store ${engine}`);
			await dialogOf(page).getByLabel("Expiry").selectOption("in 90 days");
			await page.keyboard.press("Enter");
			const changed = rowOf(page, `store ${engine}`);
			await changed.getByText("expires in 2 months").waitFor();
			await changed.getByRole("button", { name: "Revoke" }).click();
			await dialogOf(page).getByRole("button", { name: "Revoke" }).click();
			await page.getByText("Revoked and expired keys").click();
			await changed.getByText("revoked").waitFor();
			await until(async () => (await list(`Bearer ${secret}`)).status === 401);
			expect(await page.content()).not.toContain(secret);
		});

		test("makes a backup, lists it, and says how old it is", async () => {
			const page = await visits.open("#status");
			// `petstore backup` may have another folder, so the page does not name it.
			await page
				.getByText("The folder has no backups yet.", { exact: true })
				.waitFor();
			await page.getByRole("button", { name: "Back up now" }).click();
			await page.getByText("Newest backup: just now.").waitFor();
			const [name = ""] = readdirSync(folder.path);
			await page.getByText(`Made the backup ${name}.`).waitFor();
			await page.getByRole("link", { name: `Download ${name}` }).waitFor();

			await service.store.backups.begin("other", Date.now());
			await page.getByRole("button", { name: "Back up now" }).click();
			await page.getByText("Could not make a backup. A backup is").waitFor();
			await service.store.backups.fail("other", Date.now(), "No space.");
			visits.expectStatuses(409);
			const again = await visits.open("#status");
			await again.getByText("The last backup failed. No space.").waitFor();
			await service.store.backups.begin("other", Date.now());
			await service.store.backups.succeed("other", Date.now());
		});

		test("draws the requests of the last hour and of the last day as bars, from tables", async () => {
			await service.call("/v1/pets");
			const page = await visits.open("#status");
			for (const [title, rows] of [
				["Last hour", 60],
				["Last 24 hours", 24],
			] as const) {
				const bars = page
					.getByRole("table", { name: title })
					.locator("tbody")
					.getByRole("row");
				await bars.first().waitFor();
				expect(await bars.count()).toBe(rows);
				const heights = await bars
					.locator("td:nth-child(2)")
					.evaluateAll((cells) => cells.map((cell) => cell.clientHeight));
				expect(heights[0]).toBe(0);
				// The largest bar is as high as the chart.
				expect(Math.max(...heights)).toBeGreaterThan(120);
				const texts = await bars.allInnerTexts();
				expect(texts.some((text) => /[1-9]/.test(text))).toBe(true);
			}
		});

		test("shows all keys of many pages", async () => {
			const { keys } = service.store;
			for (let count = 0; count < 101; count++)
				await keys.add(makeKey({ name: "many" }).record);
			await keys.add(makeKey({ name: `last ${engine}` }).record);
			const page = await visits.open("#keys");
			await rowOf(page, `last ${engine}`).waitFor();
		});
	},
);
