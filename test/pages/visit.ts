// Opens pages in a real browser. A test fails if the log of the browser is not empty, or if a request leaves the service.
import { afterAll, afterEach, expect } from "bun:test";
import type {
	Browser,
	BrowserContextOptions,
	Page,
	Request,
} from "playwright-core";
import { buildPages } from "../../build/pages.ts";
import { openBrowser } from "../harness/browser.ts";
import { waitFor } from "../harness/process.ts";

export const looks = {
	light: { colorScheme: "light", viewport: { width: 1280, height: 800 } },
	dark: { colorScheme: "dark", viewport: { width: 1280, height: 800 } },
	phone: { colorScheme: "light", viewport: { width: 360, height: 740 } },
} as const;

export interface Visits {
	readonly visit: (
		url: string,
		options?: BrowserContextOptions,
	) => Promise<Page>;
	/** Closes all pages, and fails on an unexpected message or request. */
	readonly end: () => Promise<void>;
	/** Expects exactly these statuses in the browser's messages. */
	readonly expectStatuses: (...statuses: readonly number[]) => void;
	/** Accepts messages about replies with this status, also about later ones, because the pages poll. */
	readonly takeStatuses: (status: number) => Promise<void>;
	/** Accepts messages about missing replies. */
	readonly expectNoReplies: () => void;
}

/** Without a browser on this machine, its tests are skipped. */
export async function describeInBrowser(
	define: (visits: Visits) => void,
): Promise<void> {
	const browser = await openBrowser();
	if (browser === undefined)
		return console.warn("No browser on this machine: its tests are skipped.");
	await buildPages();
	const visits = createVisits(browser);
	afterAll(() => browser.close());
	afterEach(() => visits.end());
	define(visits);
}

function createVisits(browser: Browser): Visits {
	const complaints: string[] = [];
	const asked: string[] = [];
	const origins = new Set<string>();
	/** The requests without a reply, of each page. */
	const open: Set<Request>[] = [];

	return {
		async visit(url, options) {
			origins.add(new URL(url).origin);
			const context = await browser.newContext({
				...looks.light,
				reducedMotion: "reduce",
				...options,
			});
			const page = await context.newPage();
			page.setDefaultTimeout(10_000);
			page.on("console", (message) => complaints.push(message.text()));
			page.on("pageerror", ({ message }) => complaints.push(message));
			const own = new Set<Request>();
			open.push(own);
			page.on("request", (request) => {
				asked.push(request.url());
				// The requests of the document before end without an event.
				if (request.isNavigationRequest()) own.clear();
				own.add(request);
			});
			page.on("requestfinished", (request) => own.delete(request));
			page.on("requestfailed", (request) => own.delete(request));
			page.on("close", () => own.clear());
			await page.goto(url);
			return page;
		},
		expectStatuses(...statuses) {
			const found = complaints
				.splice(0)
				.map((text) => /status of (\d+)/.exec(text)?.[1] ?? text);
			expect(found).toEqual(statuses.map(String));
		},
		async takeStatuses(status) {
			for (const own of open) {
				const sent = [...own];
				await until(async () => !sent.some((request) => own.has(request)));
			}
			for (const text of complaints.splice(0))
				expect(text).toContain(`status of ${status}`);
		},
		expectNoReplies() {
			for (const text of complaints.splice(0))
				expect(text).toContain("net::ERR_INTERNET_DISCONNECTED");
		},
		async end() {
			for (const context of browser.contexts()) await context.close();
			const outside = asked
				.splice(0)
				.filter((one) => !origins.has(new URL(one).origin));
			expect(outside).toEqual([]);
			expect(complaints.splice(0)).toEqual([]);
		},
	};
}

export const dialogOf = (page: Page) => page.getByRole("dialog");

export const press = (page: Page, name: string | RegExp) =>
	page.getByRole("button", { name, exact: true }).click();

export function hasFocus(element: Element): boolean {
	return element === document.activeElement;
}

/** Presses Tab until the element has the focus. */
export async function tabTo(page: Page, selector: string): Promise<void> {
	for (let count = 0; count < 80; count++) {
		if (await page.locator(selector).first().evaluate(hasFocus)) return;
		await page.keyboard.press("Tab");
	}
	throw new Error(`Tab does not reach ${selector}.`);
}

/** Waits for a condition that Playwright cannot wait for. */
export async function until(isTrue: () => Promise<boolean>): Promise<void> {
	await waitFor(isTrue);
}
