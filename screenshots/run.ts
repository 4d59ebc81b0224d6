// `npm run screenshots`: opens the pages of a sandbox in a browser and writes pictures of them to docs/images.
import type { Browser, Page } from "playwright-core";
import { buildPages } from "../build/pages.ts";
import { openBrowser } from "../harness/browser.ts";
import { silentLog } from "../harness/log.ts";
import { root } from "../harness/process.ts";
import { removeLeftovers } from "../harness/temporary.ts";
import { openPetstore } from "../src/petstore.ts";
import { defaultStart } from "../src/sandbox/demo-animals.ts";
import { addSamples } from "./console.ts";

const views = [
	{
		name: "console-catalogue",
		path: "/console",
		scheme: "light",
		width: 1280,
		height: 800,
	},
	{
		name: "console-catalogue-dark",
		path: "/console",
		scheme: "dark",
		width: 1280,
		height: 800,
	},
	{
		name: "console-phone",
		path: "/console",
		scheme: "light",
		width: 390,
		height: 844,
	},
	{
		name: "console-keys",
		path: "/console#keys",
		scheme: "light",
		width: 1280,
		height: 560,
	},
	{
		name: "console-traffic",
		path: "/console#traffic",
		scheme: "light",
		width: 1280,
		height: 1160,
	},
	{
		name: "sandbox",
		path: "/sandbox",
		scheme: "light",
		width: 1280,
		height: 620,
	},
	{ name: "home", path: "/", scheme: "light", width: 1280, height: 800 },
	{
		name: "reference",
		path: "/docs",
		scheme: "light",
		width: 1440,
		height: 900,
	},
	{
		name: "reference-dark",
		path: "/docs",
		scheme: "dark",
		width: 1440,
		height: 900,
	},
	{
		name: "reference-phone",
		path: "/docs",
		scheme: "light",
		width: 390,
		height: 844,
	},
] as const;

await buildPages();
const service = await openPetstore({
	database: "sqlite::memory:",
	sandbox: defaultStart,
	// The pictures must not depend on the port.
	document: { baseUrl: "http://127.0.0.1:8080" },
	log: { to: silentLog },
});
const browser = await openBrowser();
if (browser === undefined)
	throw new Error("There is no browser: install Debian's chromium.");
await addSamples(service.store);
for (const view of views) await take(browser, view);
await browser.close();
await service.stop();
removeLeftovers();

async function take(
	browser: Browser,
	{ name, path, scheme, width, height }: (typeof views)[number],
): Promise<void> {
	const context = await browser.newContext({
		viewport: { width, height },
		colorScheme: scheme,
		reducedMotion: "reduce",
	});
	const page = await context.newPage();
	await page.goto(service.url + path);
	if (path === "/docs") await addAnimal(page);
	else if (path.startsWith("/console")) await signIn(page);
	else if (path === "/sandbox") await loseThirdReply(page);
	else await page.getByText("Ready", { exact: true }).waitFor();
	await page.screenshot({ path: `${root}docs/images/${name}.png` });
	const undo = page.getByRole("button", { name: "Undo" });
	if (await undo.count()) await undo.click();
	await context.close();
	console.log(`docs/images/${name}.png`);
}

/** Shows createPet with a reply: beside its text if the page is wide, else only the form. */
async function addAnimal(page: Page): Promise<void> {
	const operation = page.locator("#createPet");
	await operation
		.getByLabel("Body")
		.fill('{\n  "name": "Rex",\n  "categoryId": 9007199254740993\n}');
	await operation.getByRole("button", { name: "Send" }).click();
	await operation.locator(".outcome > *").first().waitFor();
	const isNarrow = (page.viewportSize()?.width ?? 0) < 600;
	await operation
		.locator(isNarrow ? ".use" : ".about")
		.evaluate((element) => element.scrollIntoView());
}

/** Adds three animals, and loses the third reply by a fault. */
async function loseThirdReply(page: Page): Promise<void> {
	const call = async (path: string, method: string, body?: unknown) =>
		fetch(service.url + path, {
			method,
			headers: { Authorization: "Bearer sandbox" },
			...(body !== undefined && { body: JSON.stringify(body) }),
		}).catch(() => undefined);
	await call("/sandbox/requests", "DELETE");
	await call("/sandbox/faults", "PUT", [
		{ operation: "createPet", skip: 2, drop: "after-commit" },
		{ times: "always", probability: 0.1, status: 503 },
	]);
	// The page must know the rules before they are used up.
	await page.reload();
	await page.getByRole("switch").nth(1).waitFor();
	for (const name of ["Rex", "Tom", "Ada"])
		await call("/v1/pets", "POST", { name, categoryId: 1 });
	await call("/v1/pets?limit=2", "GET");
	await call("/v1/pet/1", "GET");
	await page.getByText("/v1/pet/1").waitFor();
}

/** Signs in with the key that the sandbox fills in. In the catalogue, removes an animal to show Undo. */
async function signIn(page: Page): Promise<void> {
	await page.getByRole("button", { name: "Sign in" }).click();
	await page.getByRole("button", { name: "Sign out" }).waitFor();
	await page.waitForLoadState("networkidle");
	await page.getByText("Loading …").waitFor({ state: "detached" });
	const pet = page.getByRole("button", { name: "Open Waffles" }).first();
	if (!(await pet.count())) return;
	await pet.click();
	await page.getByRole("button", { name: "Remove Waffles" }).click();
	await page.getByRole("button", { name: "Undo" }).waitFor();
	await page.evaluate(() => scrollTo(0, 0));
	// The pointer would mark a row.
	await page.mouse.move(0, 0);
}
