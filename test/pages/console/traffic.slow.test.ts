// The traffic in a real browser: errors of the callers and of the service, by chart, by table and by code.
import { afterAll, describe, expect, test } from "bun:test";
import type { Page } from "playwright-core";
import { buildPages } from "../../../build/pages.ts";
import { openPetstore } from "../../../src/petstore.ts";
import { defaultKey } from "../../../src/sandbox/access.ts";
import { defaultStart } from "../../../src/sandbox/demo-animals.ts";
import { durationCount } from "../../../src/store/usage.ts";
import { openBrowser } from "../../harness/browser.ts";
import { silentLog } from "../../harness/log.ts";
import { createVisits } from "./visit.ts";

const browser = await openBrowser();
if (browser !== undefined) await buildPages();
afterAll(() => browser?.close());

describe.skipIf(browser === undefined)("the traffic", () => {
	test("separates 4xx from 5xx, and lists the codes", () =>
		onSandbox(counted, async (page) => {
			const figures = await page.locator(".headline").innerText();
			expect(figures).toMatch(/Client errors, 4xx\s+20 %\s+20 requests/);
			expect(figures).toMatch(/Server errors, 5xx\s+5 %\s+5 requests/);

			const chart = page.getByRole("figure", { name: "Requests a second" });
			expect(await chart.locator(".legend").innerText()).toMatch(
				/^2xx and 3xx .+\n4xx .+\n5xx /,
			);
			await chart.getByText("Figures").click();
			expect(await chart.getByRole("columnheader").allInnerTexts()).toEqual([
				...["Minute", "2xx and 3xx", "4xx", "5xx"],
			]);

			expect(await readRows(page, "By operation")).toEqual([
				["listPets", "75", "0 %", "0 %"],
				["createPet", "25", "80 %", "20 %"],
			]);
			expect(await readRows(page, "By status")).toEqual([
				["200", "listPets", "75", "75 %"],
				["400 invalid_body, invalid_parameter", "createPet", "8", "8 %"],
				["429 rate_limited", "createPet", "12", "12 %"],
				["503 unavailable", "createPet", "5", "5 %"],
			]);
		}));

	test("says that the period has no requests", () =>
		onSandbox([], async (page) => {
			await page.getByText("No requests in the last hour").waitFor();
			await page.getByRole("button", { name: "Last 30 days" }).click();
			await page.getByText("No requests in the last 30 days").waitFor();
			await page.getByLabel("include the operator interface").check();
			await page.getByRole("heading", { name: "By status" }).waitFor();
		}));

	test.each(["light", "dark"] as const)(
		"uses chart colours with a contrast of at least 3 to 1, %s",
		(colorScheme) =>
			onSandbox(
				counted,
				async (page) => {
					const colours = await page.evaluate(() => {
						const marks = [
							...document.querySelectorAll(".legend [data-colour]"),
						];
						return [
							getComputedStyle(document.body).backgroundColor,
							...marks.map(
								(mark) => getComputedStyle(mark, "::before").backgroundColor,
							),
						];
					});
					const [paper = 0, ...others] = colours.map(toLuminance);
					expect(others.length).toBe(5);
					for (const other of others) {
						const [low = 0, high = 0] = [paper, other].toSorted(
							(a, b) => a - b,
						);
						expect((high + 0.05) / (low + 0.05)).toBeGreaterThan(3);
					}
				},
				{ colorScheme },
			),
	);
});

const counted = [
	["listPets", 200, 75],
	["createPet", 400, 8],
	["createPet", 429, 12],
	["createPet", 503, 5],
] as const;

async function onSandbox(
	counts: readonly (readonly [string, number, number])[],
	run: (page: Page) => Promise<void>,
	options: Parameters<Awaited<ReturnType<typeof createVisits>>["open"]>[1] = {},
): Promise<void> {
	const service = await openPetstore({
		database: "sqlite::memory:",
		sandbox: { ...defaultStart, pets: 3 },
		log: { to: silentLog },
	});
	if (browser === undefined) return;
	await service.store.usage.add(
		counts.map(([operation, status, requests]) => ({
			at: Date.now() - 60_000,
			key: "",
			operation,
			status,
			requests,
			durations: new Array(durationCount).fill(0),
		})),
	);
	const visits = await createVisits(browser, service, defaultKey);
	const page = await visits.open("#traffic", options);
	await page.getByRole("heading", { name: "Who still calls" }).waitFor();
	await run(page);
	await visits.end();
	await service.stop();
}

/** The first four cells of each row. */
async function readRows(page: Page, title: string) {
	const rows = page
		.locator(".table")
		.filter({ has: page.getByRole("heading", { name: title }) })
		.locator("tbody tr");
	const cells = (await rows.all()).map(async (row) =>
		(await row.locator("th, td").allInnerTexts()).slice(0, 4),
	);
	return Promise.all(cells);
}

/** The luminance of WCAG 2. The browser writes colours as `rgb(…)`, mixed ones as `color(srgb …)`. */
function toLuminance(colour: string): number {
	const scale = colour.startsWith("rgb") ? 255 : 1;
	const [red = 0, green = 0, blue = 0] = (colour.match(/[\d.]+/g) ?? [])
		.map((part) => Number(part) / scale)
		.map((part) =>
			part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4,
		);
	return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}
