// The page of the sandbox in a real browser: faults, requests, reset, the key, the keyboard, light and dark, a phone. The console of the
// browser must stay empty, and no request may leave the origin.
import {
	afterAll,
	afterEach,
	beforeAll,
	beforeEach,
	describe,
	expect,
	test,
} from "bun:test";
import type { BrowserContextOptions, Page } from "playwright-core";
import { buildPages } from "../../../build/pages.ts";
import { openPetstore, type Petstore } from "../../../src/petstore.ts";
import { openBrowser } from "../../harness/browser.ts";
import { silentLog } from "../../harness/log.ts";
import { accessibilityTimeoutMs, expectAccessible } from "../accessible.ts";

const browser = await openBrowser();
if (browser === undefined)
	console.warn(
		"No browser on this machine: the tests of the sandbox in one are skipped.",
	);
else await buildPages();
afterAll(() => browser?.close());

describe.skipIf(browser === undefined)("in a browser", () => {
	let petstore: Petstore;
	/** A sandbox whose control paths need its key. */
	let withKey: Petstore;
	const complaints: string[] = [];
	const asked: string[] = [];

	beforeAll(async () => {
		const common = { database: "sqlite::memory:", log: { to: silentLog } };
		petstore = await openPetstore({
			...common,
			sandbox: { pets: 5, seed: 1 },
		});
		withKey = await openPetstore({
			...common,
			sandbox: { pets: 2, seed: 1, allowHosts: ["petstore"], key: "s3cret" },
		});
	});
	afterAll(async () => {
		await petstore.stop();
		await withKey.stop();
	});
	beforeEach(() => fetch(`${petstore.url}/sandbox/reset`, { method: "POST" }));
	afterEach(async () => {
		for (const context of browser?.contexts() ?? []) await context.close();
		const outside = asked
			.splice(0)
			.filter((url) => !url.startsWith("http://127.0.0.1:"));
		expect(outside).toEqual([]);
		expect(complaints.splice(0)).toEqual([]);
	});

	async function open(
		options: BrowserContextOptions = {},
		{ url }: Petstore = petstore,
	): Promise<Page> {
		const context = await browser?.newContext({
			viewport: { width: 1280, height: 800 },
			reducedMotion: "reduce",
			...options,
		});
		if (context === undefined) throw new Error("There is no browser.");
		const page = await context.newPage();
		page.setDefaultTimeout(10_000);
		page.on("console", (message) => complaints.push(message.text()));
		page.on("pageerror", ({ message }) => complaints.push(message));
		page.on("request", (request) => asked.push(request.url()));
		await page.goto(`${url}/sandbox`);
		return page;
	}

	/** Sends a request as a client does. Returns its status, or undefined if the connection was cut. */
	async function send(
		path: string,
		init: RequestInit = {},
	): Promise<number | undefined> {
		const headers = { Authorization: "Bearer sandbox", ...init.headers };
		const reply = await fetch(petstore.url + path, { ...init, headers }).catch(
			() => undefined,
		);
		return reply?.status;
	}

	const body = '{ "name": "Rex <b>",\n\t"categoryId": 9007199254740993 }';
	const add = () =>
		send("/v1/pets", {
			method: "POST",
			body,
			headers: { "X-Own": "  a; b  " },
		});

	async function addFault(
		page: Page,
		values: Record<string, string>,
	): Promise<void> {
		await page.getByRole("button", { name: "Add a fault" }).click();
		const dialog = page.getByRole("dialog");
		for (const [name, value] of Object.entries(values)) {
			const field = dialog.getByLabel(name, { exact: true });
			const isChoice = await field.evaluate(({ tagName }) =>
				tagName.startsWith("SELECT"),
			);
			await (isChoice ? field.selectOption(value) : field.fill(value));
		}
		await dialog.getByRole("button", { name: "Add" }).click();
		await dialog.waitFor({ state: "detached" });
	}

	const rows = (page: Page) => page.locator(".requests tbody tr");

	describe("The page of the sandbox", () => {
		test("shows an add whose reply was lost after the commit, what was sent, and resets the sandbox", async () => {
			const page = await open();
			await page.getByText("5 animals").waitFor();
			await page.getByText("No requests yet").waitFor();
			await addFault(page, {
				operation: "createPet",
				skip: "2",
				drop: "after-commit",
			});
			await page.getByText("after 2 more, 1 left").waitFor();
			expect([await add(), await add(), await add()]).toEqual([
				201,
				201,
				undefined,
			]);

			const cut = rows(page).filter({ hasText: "drop=after-commit" });
			await cut.waitFor();
			expect(await cut.innerText()).toMatch(
				/^POST \/v1\/pets\s+cut, 201 not sent\s+drop=after-commit\s+[\d.]+ ms\s+sandbox\s+[\d:.]+$/,
			);
			expect(await rows(page).first().innerText()).toContain("cut");
			// The third animal was added.
			await page.getByText("8 animals").waitFor();
			expect(await page.getByRole("switch", { checked: true }).count()).toBe(0);

			await cut.getByRole("button").click();
			const dialog = page.getByRole("dialog");
			expect(await dialog.getByRole("heading").first().innerText()).toBe(
				"POST /v1/pets",
			);
			const [headers = "", sent] = await dialog
				.locator("pre")
				.evaluateAll((all) => all.map(({ textContent }) => textContent));
			expect(headers.split("\n")).toContain("authorization: Bearer ***");
			expect(headers.split("\n")).toContain("x-own: a; b");
			expect(sent).toBe(body);
			await page.keyboard.press("Escape");

			await page
				.getByRole("button", {
					name: "Reset animals, faults and requests",
				})
				.click();
			await page.getByText("The sandbox was reset.").waitFor();
			await page.getByText("5 animals").waitFor();
			await page.getByText("No requests yet").waitFor();
		});

		test("shows requests as they arrive, even while a fault delays another", async () => {
			const page = await open();
			await page.getByText("No requests yet").waitFor();
			const slow = send("/v1/pets/1", {
				headers: { "Sandbox-Fault": "delay=700" },
			});
			await Bun.sleep(100);
			await send("/v1/pets?limit=1");
			await page.getByText("/v1/pets?limit=1").waitFor();
			expect(await slow).toBe(200);
			await page.getByText("delay=700").waitFor();
			expect(await rows(page).count()).toBe(2);
			await page.getByRole("button", { name: "Clear" }).click();
			await page.getByText("No requests yet").waitFor();
		});

		test("shows the last 200 requests, and the next one as it arrives", async () => {
			for (let count = 0; count < 205; count++) await send(`/healthz?${count}`);
			const page = await open();
			await page.getByText("No requests yet").waitFor();
			await page.getByLabel("Only operations and errors").uncheck();
			await page.getByText("the last 200").waitFor();
			await send("/v1/pets?limit=3");
			const first = rows(page).first();
			await first.getByText("/v1/pets?limit=3").waitFor();
			expect(await rows(page).count()).toBe(200);
			expect(await rows(page).last().innerText()).toContain("/healthz?6");
		});

		test("says what is wrong, and keeps the form open", async () => {
			const page = await open();
			await page.getByRole("button", { name: "Add a fault" }).click();
			const dialog = page.getByRole("dialog");
			await dialog.getByLabel("times").fill("0");
			await dialog.getByLabel("status").fill("200");
			await dialog.getByRole("button", { name: "Add" }).click();
			const alert = dialog.getByRole("alert");
			await alert.getByText(/times|status/).waitFor();
			expect(await dialog.getByLabel("status").inputValue()).toBe("200");
			// The browser logs the 400.
			expect(complaints.splice(0)).toHaveLength(1);
		});

		test("shows a wrong path at once, but a probe only on demand", async () => {
			const page = await open();
			await page.getByText("No requests yet").waitFor();
			await send("/readyz");
			await send("/pets");
			await rows(page).getByText("GET /pets").waitFor();
			expect(await rows(page).count()).toBe(1);
			await page.getByLabel("Only operations and errors").uncheck();
			await page.getByText("/readyz").waitFor();
		});

		test("says that the sandbox does not answer, and continues when it answers again", async () => {
			const page = await open();
			await page.getByText("No requests yet").waitFor();
			await page.context().setOffline(true);
			await page.getByText("The service does not answer.").waitFor();
			await page.context().setOffline(false);
			await page
				.getByText("The service does not answer.")
				.waitFor({ state: "detached" });
			await send("/v1/pets?limit=2");
			await page.getByText("/v1/pets?limit=2").waitFor();
			for (const text of complaints.splice(0))
				expect(text).toContain("net::ERR_INTERNET_DISCONNECTED");
		});

		test("asks for the key if the sandbox needs it, and stores it for the tab only", async () => {
			const page = await open({}, withKey);
			await page.getByLabel("API key").fill("wrong");
			await page.getByRole("button", { name: "Open" }).click();
			await page.getByText("The API key is not valid.").waitFor();
			expect(complaints.splice(0).length).toBeGreaterThan(0);
			await page.getByLabel("API key").fill("s3cret");
			await page.getByRole("button", { name: "Open" }).click();
			await page.getByText("2 animals").waitFor();
			await page.reload();
			await page.getByText("2 animals").waitFor();
			const stored = await page.evaluate(() => [
				localStorage.length,
				document.cookie,
			]);
			expect(stored).toEqual([0, ""]);
		});
	});

	describe("Faults as switches", () => {
		test("switches a rule off and on in its place, and removes it", async () => {
			const page = await open();
			await addFault(page, { operation: "listPets", status: "503" });
			await addFault(page, { operation: "listPets", status: "429" });
			const one = page.getByRole("switch", { name: "status=503" });
			await one.click();
			await page.getByText("off", { exact: true }).waitFor();
			expect(await send("/v1/pets?limit=1")).toBe(429);
			await page.getByText("off", { exact: true }).nth(1).waitFor();
			await page.getByRole("switch", { name: "status=429" }).click();
			await page.getByText("1 left").waitFor();
			await one.click();
			await page.getByText("1 left").nth(1).waitFor();
			expect(await send("/v1/pets?limit=2")).toBe(503);
			// The rule is used up.
			await page.getByText("off", { exact: true }).waitFor();
			await page.getByRole("button", { name: /status=503/ }).click();
			await one.waitFor({ state: "detached" });
			expect(await page.getByRole("switch", { checked: true }).count()).toBe(1);
		});

		test("shows rules that other programs have set", async () => {
			const page = await open();
			await page.getByText("No faults").waitFor();
			await fetch(`${petstore.url}/sandbox/faults`, {
				method: "PUT",
				body: '[{"times":"always","probability":0.07,"delay":2}]',
			});
			await send("/v1/pets/1");
			await page
				.getByRole("switch", { name: "any operation of /v1" })
				.waitFor();
			await page.getByText("always, 7 %").waitFor();
			await page.getByText("The same with curl").click();
			expect(await page.getByLabel("Command").inputValue()).toBe(
				`curl -X PUT -H "Content-Type: application/json" -d '[{"times":"always","probability":0.07,"delay":2}]' ${petstore.url}/sandbox/faults`,
			);
			expect(await page.locator(".faults code").first().innerText()).toBe(
				"delay=2",
			);
		});
	});

	test("adds a fault and opens a request with the keyboard alone", async () => {
		await send("/v1/pets/3");
		const page = await open();
		await rows(page).first().waitFor();
		const reach = async (name: string) => {
			for (let count = 0; count < 40; count++) {
				await page.keyboard.press("Tab");
				const text = await page.evaluate(() => {
					const { activeElement: one } = document;
					const label =
						one instanceof HTMLInputElement || one instanceof HTMLSelectElement
							? one.labels?.[0]
							: one;
					return label?.textContent ?? "";
				});
				if (text.includes(name)) return;
			}
			throw new Error(`Tab does not reach ${name}.`);
		};
		await reach("Add a fault");
		await page.keyboard.press("Enter");
		// The first field of the form already has the focus.
		await page.keyboard.type("createPet");
		await reach("drop");
		await page.keyboard.type("a");
		await reach("Add");
		await page.keyboard.press("Enter");
		await page.getByRole("dialog").waitFor({ state: "detached" });
		expect(await add()).toBeUndefined();
		await rows(page).getByText("drop=after-commit").waitFor();

		await reach("POST /v1/pets");
		await page.keyboard.press("Enter");
		await page.getByRole("dialog", { name: "POST /v1/pets" }).waitFor();
		await page.keyboard.press("Escape");
		await page.getByRole("dialog").waitFor({ state: "detached" });
		const focused = await page.evaluate(
			() => document.activeElement?.textContent,
		);
		expect(focused).toBe("POST /v1/pets");
	});

	const phone = { viewport: { width: 375, height: 812 } };
	describe.each([
		["light", { colorScheme: "light" }],
		["dark", { colorScheme: "dark" }],
		["phone", { colorScheme: "light", ...phone }],
	] as const)("%s", (view, options) => {
		test.each(["requests", "empty", "form", "details", "key"] as const)(
			"is accessible with %s, and fits into the width of the screen",
			async (what) => {
				const page = await openFilled(what, options);
				await expectAccessible(page, view);
			},
			accessibilityTimeoutMs,
		);

		async function openFilled(
			what: string,
			options: BrowserContextOptions,
		): Promise<Page> {
			if (what === "key") {
				const page = await open(options, withKey);
				await page.getByLabel("API key").waitFor();
				return page;
			}
			const page = await open(options);
			if (what === "empty") {
				await page.getByText("No requests yet").waitFor();
				return page;
			}
			await addFault(page, {
				operation: "createPet",
				delay: "10",
				reply: '{"status":503,"body":"<h1>"}',
			});
			await add();
			await send(`/v1/pets?cursor=${"x".repeat(300)}`);
			await send("/v1/pets/1", { headers: { "Sandbox-Fault": "drop=before" } });
			// Bun retries a GET whose connection was cut.
			await page.getByText("drop=before").first().waitFor();
			if (what === "form")
				await page.getByRole("button", { name: "Add a fault" }).click();
			if (what === "details")
				await rows(page).nth(1).getByRole("button").click();
			return page;
		}
	});
});
