// How soon a browser draws the console.
import { afterAll, describe, expect, test } from "bun:test";
import type { Page } from "playwright-core";
import { buildPages } from "../../../build/pages.ts";
import { openPetstore } from "../../../src/petstore.ts";
import { defaultStart } from "../../../src/sandbox/demo-animals.ts";
import { openBrowser } from "../../harness/browser.ts";
import { silentLog } from "../../harness/log.ts";

const maxVisits = 50;

const browser = await openBrowser();
if (browser !== undefined) await buildPages();
afterAll(() => browser?.close());

describe.skipIf(browser === undefined)("on loopback", () => {
	describe("First paint of the console", () => {
		test("takes less than 100 ms where an empty page takes 50 ms, by the median of the five fastest visits to a warm service", async () => {
			if (browser === undefined) return;
			const service = await openPetstore({
				database: "sqlite::memory:",
				sandbox: defaultStart,
				log: { to: silentLog },
			});
			// On a busy machine the browser itself takes most of the time. An empty page shows how much.
			const empty = Bun.serve({ port: 0, fetch: () => emptyPage() });
			const page = await browser.newPage();
			await visit(page, `${service.url}/console`);
			const own: number[] = [];
			const others: number[] = [];
			const toPaint = () =>
				toTypical(own) - Math.max(0, toTypical(others) - 50);
			// Other programs delay most visits there, but not all.
			while (own.length < 5 || (own.length < maxVisits && toPaint() >= 100)) {
				others.push(await visit(page, empty.url.href));
				own.push(await visit(page, `${service.url}/console`));
			}
			await page.context().close();
			await empty.stop(true);
			await service.stop();
			expect(toPaint()).toBeLessThan(100);
		}, 120_000);
	});
});

function emptyPage(): Response {
	const headers = { "Content-Type": "text/html" };
	return new Response("<!doctype html><p>empty", { headers });
}

/** Milliseconds from the start of the navigation to the first paint. */
async function visit(page: Page, url: string): Promise<number> {
	await page.goto(url);
	return page.evaluate(
		() =>
			new Promise<number>((resolve) => {
				new PerformanceObserver((list) =>
					resolve(list.getEntries()[0]?.startTime ?? Infinity),
				).observe({ type: "paint", buffered: true });
			}),
	);
}

/** The median of the five shortest times. */
function toTypical(times: readonly number[]): number {
	return times.toSorted((a, b) => a - b)[2] ?? Infinity;
}
