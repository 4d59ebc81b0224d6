// The look of the pages in a real browser: the system's colours or the reader's choice, and a bar that fits at every width.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import type { Page } from "playwright-core";
import { openPetstore, type Petstore } from "../../src/petstore.ts";
import { defaultStart } from "../../src/sandbox/demo-animals.ts";
import { silentLog } from "../harness/log.ts";
import { describeInBrowser, press } from "./visit.ts";

await describeInBrowser(({ visit }) => {
	let service: Petstore;
	beforeAll(async () => {
		service = await openPetstore({
			database: "sqlite::memory:",
			sandbox: { ...defaultStart, pets: 3 },
			log: { to: silentLog },
		});
	});
	afterAll(() => service.stop());

	describe("Colours of pages", () => {
		test.each(["/", "/docs", "/console", "/sandbox"])(
			"%s uses the system's colours until the reader chooses others, and keeps the choice without a flash",
			async (path) => {
				const page = await visit(service.url + path);
				await page.addInitScript(recordFrames);
				const menu = page.getByLabel("Colours");
				expect(await readLightness(page)).toBe("light");
				await menu.selectOption("Dark");
				expect(await readLightness(page)).toBe("dark");

				await page.reload();
				expect(await readLightness(page)).toBe("dark");
				expect(await menu.inputValue()).toBe("dark");
				expect(await page.evaluate("[...new Set(schemes)]")).toEqual(["dark"]);

				await menu.selectOption("System");
				expect(await readLightness(page)).toBe("light");
				await page.emulateMedia({ colorScheme: "dark" });
				expect(await readLightness(page)).toBe("dark");
			},
		);

		test("change in every open tab, and by keyboard", async () => {
			const dark = { colorScheme: "dark" } as const;
			const first = await visit(`${service.url}/docs`, dark);
			const second = await first.context().newPage();
			await second.goto(`${service.url}/console`);
			await first.getByLabel("Colours").focus();
			await first.keyboard.press("ArrowDown");
			await second.waitForFunction(
				() => document.documentElement.style.colorScheme === "light",
			);
			expect(await readLightness(second)).toBe("light");
			expect(await second.getByLabel("Colours").inputValue()).toBe("light");
		});
	});

	test("overlaps nothing in the bar of the console at any width", async () => {
		const page = await visit(`${service.url}/console`);
		await press(page, "Sign in");
		await page.getByRole("button", { name: "Sign out" }).waitFor();
		const overlapping: number[] = [];
		for (let width = 330; width <= 1330; width += 10) {
			await page.setViewportSize({ width, height: 640 });
			if (await page.evaluate(hasOverlap)) overlapping.push(width);
		}
		expect(overlapping).toEqual([]);
	}, 30_000);
});

/** Whether two links or buttons of the bar share a place, or the page is wider than the window. */
function hasOverlap(): boolean {
	const places = [...document.querySelectorAll(".bar a, .bar button")]
		.map((element) => element.getBoundingClientRect())
		.filter(({ width }) => width > 0);
	const meet = (one: DOMRect, other: DOMRect) =>
		one.right - other.left > 1 &&
		other.right - one.left > 1 &&
		one.bottom - other.top > 1 &&
		other.bottom - one.top > 1;
	return (
		document.documentElement.scrollWidth > window.innerWidth ||
		places.some((one) => places.some((it) => it !== one && meet(one, it)))
	);
}

/** Reads the background that is drawn, not only the property that asks for it. */
function readLightness(page: Page): Promise<string> {
	return page.evaluate(() => {
		const [red = ""] =
			/\d+/.exec(getComputedStyle(document.body).backgroundColor) ?? [];
		return Number(red) > 128 ? "light" : "dark";
	});
}

/** Runs before the page's own scripts. */
function recordFrames(): void {
	const schemes: string[] = [];
	Object.assign(window, { schemes });
	const record = () => {
		schemes.push(getComputedStyle(document.documentElement).colorScheme);
		requestAnimationFrame(record);
	};
	requestAnimationFrame(record);
}
