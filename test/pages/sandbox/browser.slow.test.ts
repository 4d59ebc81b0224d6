// The page of the sandbox in a real browser: faults, requests, reset, the key, the keyboard.
import {
	afterAll,
	beforeAll,
	beforeEach,
	describe,
	expect,
	test,
} from "bun:test";
import type { Page } from "playwright-core";
import { openPetstore, type Petstore } from "../../../src/petstore.ts";
import type { SandboxOptions } from "../../../src/sandbox/sandbox.ts";
import { silentLog } from "../../harness/log.ts";
import { describeInBrowser, dialogOf, press, tabTo } from "../visit.ts";

await describeInBrowser((visits) => {
	let petstore: Petstore;
	beforeAll(async () => {
		petstore = await openSandbox({ pets: 5, seed: 1 });
	});
	afterAll(() => petstore.stop());
	beforeEach(() => fetch(`${petstore.url}/sandbox/reset`, { method: "POST" }));

	const open = ({ url } = petstore) => visits.visit(`${url}/sandbox`);

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
		await press(page, "Add a fault");
		const dialog = dialogOf(page);
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
			await page.reload();
			await page.getByRole("switch", { checked: false }).waitFor();

			await cut.locator("summary").click();
			const [headers = "", sent] = await cut
				.locator("pre")
				.evaluateAll((all) => all.map(({ textContent }) => textContent));
			expect(headers.split("\n")).toContain("authorization: Bearer ***");
			expect(headers.split("\n")).toContain("x-own: a; b");
			expect(sent).toBe(body);

			await press(page, "Reset animals, faults and requests");
			await page.getByText("The sandbox was reset.").waitFor();
			await page.getByText("5 animals").waitFor();
			await page.getByText("No requests yet").waitFor();
		});

		test("shows requests as they arrive, even while a fault delays another, but no probe", async () => {
			const page = await open();
			await page.getByText("No requests yet").waitFor();
			const slow = send("/v1/pets/1", {
				headers: { "Sandbox-Fault": "delay=700" },
			});
			await Bun.sleep(100);
			await send("/v1/pets?limit=1");
			await page.getByText("/v1/pets?limit=1").waitFor();
			expect(await slow).toBe(200);
			await page.getByText("delay=700", { exact: true }).waitFor();
			expect(await rows(page).count()).toBe(2);
			await send("/readyz");
			await send("/pets");
			await rows(page).getByText("GET /pets").waitFor();
			expect(await rows(page).count()).toBe(3);
			await press(page, "Clear");
			await page.getByText("No requests yet").waitFor();
		});

		test("says what is wrong, and keeps the form open", async () => {
			const page = await open();
			await press(page, "Add a fault");
			const dialog = dialogOf(page);
			await dialog.getByLabel("status").fill("200");
			await dialog.getByRole("button", { name: "Add" }).click();
			await dialog.getByRole("alert").getByText("status").waitFor();
			expect(await dialog.getByLabel("status").inputValue()).toBe("200");
			visits.expectStatuses(400);
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
			visits.expectNoReplies();
		});

		test("asks for the key if the sandbox needs it, and stores it for the tab only", async () => {
			const allowHosts = ["petstore"];
			const key = "s3cret";
			const withKey = await openSandbox({ pets: 2, seed: 1, allowHosts, key });
			const page = await open(withKey);
			await page.getByText("Authorization").waitFor();
			await visits.takeStatuses(401);
			await page.getByLabel("API key").fill("wrong");
			await press(page, "Open");
			await page.getByText("The API key is not valid.").waitFor();
			await visits.takeStatuses(401);
			await page.getByLabel("API key").fill(key);
			await press(page, "Open");
			await page.getByText("2 animals").waitFor();
			await page.reload();
			await page.getByText("2 animals").waitFor();
			const stored = await page.evaluate(() => [
				localStorage.length,
				document.cookie,
			]);
			expect(stored).toEqual([0, ""]);
			await page.context().close();
			await withKey.stop();
		});
	});

	describe("Faults as switches", () => {
		test("loses no rule that differs from another only by its skip or times", async () => {
			const rules = [
				{ operation: "listPets", status: 503, skip: 2, times: 3 },
				{ operation: "listPets", status: 503, skip: 9, times: "always" },
			];
			const url = `${petstore.url}/sandbox/faults`;
			await fetch(url, { method: "PUT", body: JSON.stringify(rules) });
			const page = await open();
			await page.getByText("after 9 more, always").waitFor();
			await addFault(page, { operation: "getPet", status: "404" });
			await page.getByRole("switch", { name: "status=404" }).waitFor();
			const left = await (await fetch(url)).json();
			expect(left.slice(0, 2)).toEqual(rules);
			expect(left).toHaveLength(3);
		});

		test("switches a rule of another program off and on in its place, and removes it", async () => {
			const page = await open();
			await page.getByText("No faults").waitFor();
			await fetch(`${petstore.url}/sandbox/faults`, {
				method: "PUT",
				body: '[{"operation":"listPets","status":503},{"operation":"listPets","status":429},{"times":"always","probability":0.07,"delay":2}]',
			});
			const name = "any operation of /v1 probability=0.07; delay=2";
			await page.getByRole("switch", { name }).waitFor();
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
			await press(page, /status=503/);
			await one.waitFor({ state: "detached" });
			expect(await page.getByRole("switch", { checked: true }).count()).toBe(2);
		});
	});

	test("adds a fault and opens a request with the keyboard alone", async () => {
		await send("/v1/pets/3");
		const page = await open();
		await rows(page).first().waitFor();
		await tabTo(page, "text=Add a fault");
		await page.keyboard.press("Enter");
		// The first field of the form already has the focus.
		await page.keyboard.type("createPet");
		await tabTo(page, "dialog [name=drop]");
		await page.keyboard.type("a");
		await tabTo(page, "dialog [type=submit]");
		await page.keyboard.press("Enter");
		await dialogOf(page).waitFor({ state: "detached" });
		expect(await add()).toBeUndefined();
		await rows(page).getByText("drop=after-commit").waitFor();

		await tabTo(page, ".requests summary:has-text('POST /v1/pets')");
		await page.keyboard.press("Enter");
		await page.getByText('"name": "Rex <b>"').waitFor();
	});
});

function openSandbox(sandbox: SandboxOptions): Promise<Petstore> {
	return openPetstore({
		database: "sqlite::memory:",
		log: { to: silentLog },
		sandbox,
	});
}
