// The console in a real browser, on both engines: sessions, animals, keys, backups. The log of the browser must stay empty, and no
// request may leave the origin.
import { describe, expect, test } from "bun:test";
import { readdirSync } from "node:fs";
import type { Page } from "playwright-core";
import { generateToken } from "../../../src/domain/token.ts";
import { makeKey } from "../../harness/key.ts";
import { describeOnEngines } from "./engines.ts";
import { chooseStatus, openDrawer, rowOf, until } from "./visit.ts";

await describeOnEngines((opened, engine) => {
	const addPet = (name: string) => opened().addPet(name);
	const readPet = (id: string) => opened().readPet(id);

	async function signIn(page: Page, key: string): Promise<void> {
		await page.getByLabel("API key").fill(key);
		await page.getByRole("button", { name: "Sign in" }).click();
	}

	const dialogOf = (page: Page) => page.getByRole("dialog");

	describe("Signing in to the console", () => {
		test("refuses a key without the operator scope, and says why", async () => {
			const page = await opened().visits.openSignedOut();
			await signIn(page, await opened().service.makeKey({ scope: "read" }));
			await page.getByText("its scope is read").waitFor();
			opened().visits.expectStatuses(403);
		});

		async function makeLink(name?: string): Promise<string> {
			const { token, hash } = generateToken();
			const expiresAt = Date.now() + 60_000;
			await opened().service.store.sessions.addLink({ hash, expiresAt, name });
			return token;
		}

		test("shows in the bar the person whom the link names, or the key", async () => {
			const page = await opened().visits.openSignedOut(
				`#link=${await makeLink("Ada")}`,
			);
			await page.getByRole("banner").getByText("Ada").waitFor();
			const other = await opened().visits.open();
			await other.getByRole("banner").getByText("Ada").waitFor();
		});

		test("signs in by a link that is opened in a tab with the console", async () => {
			const page = await opened().visits.openSignedOut();
			await page.getByRole("heading", { name: "Sign in" }).waitFor();
			await page.goto(
				`${opened().service.url}/console#link=${await makeLink()}`,
			);
			await page.getByRole("heading", { name: "Catalogue" }).waitFor();
			expect(page.url()).toBe(`${opened().service.url}/console`);
		});

		test("signs in once by a link, and removes the link from the address bar", async () => {
			const token = await makeLink();
			const page = await opened().visits.openSignedOut(`#link=${token}`);
			await page.getByRole("heading", { name: "Catalogue" }).waitFor();
			expect(page.url()).toBe(`${opened().service.url}/console`);
			expect(await page.evaluate(() => history.length)).toBeLessThan(3);

			await page.getByText("by link").waitFor();
			await page.getByRole("button", { name: "Sign out" }).click();
			await page.getByRole("heading", { name: "Sign in" }).waitFor();
			await page.getByText("You are signed out.", { exact: true }).waitFor();

			const again = await opened().visits.openSignedOut(`#link=${token}`);
			await again.getByText("The link is not valid").waitFor();
			await opened().visits.takeStatuses(401);
		});

		test("hides the session from scripts", async () => {
			const page = await opened().visits.open();
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
			const page = await opened().visits.openSignedOut();
			const own = await opened().service.makeKey({ scope: "operator" });
			await signIn(page, own);
			await openDrawer(page, name);
			await dialogOf(page).getByLabel("Name").fill("typed before");
			const { id: keyId = 0 } =
				(await opened().service.store.keys.list()).at(-1) ?? {};
			await opened().service.store.keys.revoke(keyId, Date.now());
			// The service caches a session for half a second.
			await Bun.sleep(600);
			await page.getByRole("button", { name: "Save" }).click();
			await page.getByText("Your session has ended.").waitFor();
			await page.getByLabel("Command").waitFor();
			await opened().visits.takeStatuses(401);
			await signIn(page, opened().key);
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
		const page = await opened().visits.open();
		const cookies = await page.context().cookies();
		await page.context().clearCookies();
		// The page follows the feed, so it notices.
		await page.getByRole("heading", { name: "Signed out" }).waitFor();
		await opened().visits.takeStatuses(401);
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
			const page = await opened().visits.open();
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
			const response = await opened().service.call(`/v1/pets/${id}`);
			expect(await response.text()).toBe(
				`{"id":${id},"name":"Exactly","categoryId":9007199254740993,"status":"sold"}`,
			);
		});

		test("shows a name with markup as text", async () => {
			const name = "<img src=x onerror=alert(1)><script>alert(1)</script>";
			await addPet(name);
			const page = await opened().visits.open();
			page.on("dialog", () => expect("a dialog").toBe("no dialog"));
			await rowOf(page, name).first().waitFor();
			expect(await page.locator(".pets img, .pets script").count()).toBe(0);
		});

		test("shows further pages on request", async () => {
			for (let count = 0; count < 3; count++)
				await Promise.all(
					Array.from({ length: 100 }, (_, n) =>
						addPet(`Many ${100 * count + n}`),
					),
				);
			const page = await opened().visits.open("#catalogue?search=many");
			const rows = rowOf(page, "Many");
			for (const count of [100, 200]) {
				await until(async () => (await rows.count()) === count);
				await page.getByRole("button", { name: "Show more" }).click();
			}
			await page.getByText("300 found", { exact: true }).waitFor();
		});
	});

	describe("A change by somebody else", () => {
		test("shows the conflict when somebody else changed the status first, and overwrites nothing", async () => {
			const name = `Raced ${engine}`;
			const id = await addPet(name);
			const page = await opened().visits.open();
			let isRaced = false;
			await page.route("**/pets/batch", async (route) => {
				if (!isRaced) {
					isRaced = true;
					await opened().service.send(
						new Request(`${opened().service.url}/operator/v1/pets/${id}`, {
							method: "PATCH",
							headers: {
								Authorization: `Bearer ${opened().key}`,
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
			opened().visits.expectStatuses(412);
			await page.getByRole("button", { name: "Keep theirs" }).click();
			expect(await readPet(id)).toMatchObject({ status: "pending" });
		});
	});

	test("makes a key, shows its secret once, and changes and revokes it", async () => {
		const page = await opened().visits.open("#keys");
		await page.getByRole("button", { name: "Make a key" }).click();
		await dialogOf(page).getByLabel("Name").fill(`shop ${engine}`);
		await dialogOf(page).getByLabel("Scope").selectOption("read");
		await page.getByRole("button", { name: "Make the key" }).click();
		const secret = await page.getByLabel("API key").inputValue();
		expect(secret).toMatch(/^pet_\w{38}$/);
		await page.getByRole("button", { name: "I have copied it" }).click();
		const list = (authorization: string) =>
			opened().service.call("/v1/pets?limit=1", { authorization });
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

	test("makes a backup, lists it, and says why the last one failed", async () => {
		const page = await opened().visits.open("#status");
		await page.getByText("There is none yet.").waitFor();
		await page.getByRole("button", { name: "Back up now" }).click();
		await page.getByText(/^Made the backup/).waitFor();
		const [name = ""] = readdirSync(opened().folder);
		await page.getByText(`Made the backup ${name}.`).waitFor();
		await page.getByRole("link", { name: `Download ${name}` }).waitFor();

		await opened().service.store.backups.fail(Date.now(), "No space.");
		const again = await opened().visits.open("#status");
		await again.getByText("The last backup failed. No space.").waitFor();
		await opened().service.store.backups.succeed(Date.now());
	});

	test("draws the requests of the last hour and of the last day as bars, from tables", async () => {
		await opened().service.call("/v1/pets");
		const page = await opened().visits.open("#status");
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
		const { keys } = opened().service.store;
		for (let count = 0; count < 101; count++)
			await keys.add(makeKey({ name: "many" }).record);
		await keys.add(makeKey({ name: `last ${engine}` }).record);
		const page = await opened().visits.open("#keys");
		await rowOf(page, `last ${engine}`).waitFor();
	});
});
