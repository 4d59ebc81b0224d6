// Opens the console of a service in a real browser, signed in or not. Collects messages in the browser's console and requests to elsewhere,
// which fail the test.
import { expect } from "bun:test";
import type {
	Browser,
	BrowserContextOptions,
	Page,
	Request,
} from "playwright-core";
import type { Service } from "../../service.ts";

export interface Visits {
	/** Signs in only once for all pages, because a service accepts ten sign-ins a minute. */
	readonly open: (
		hash?: string,
		options?: BrowserContextOptions,
	) => Promise<Page>;
	readonly openSignedOut: (
		hash?: string,
		options?: BrowserContextOptions,
	) => Promise<Page>;
	/** Closes all pages, and fails on an unexpected message or request. */
	readonly end: () => Promise<void>;
	/** Expects exactly these statuses in the browser's messages. */
	readonly expectStatuses: (...statuses: readonly number[]) => void;
	/** Accepts messages about replies with this status, also about later ones, because the console polls. */
	readonly takeStatuses: (status: number) => Promise<void>;
	/** Accepts messages about missing replies. */
	readonly expectNoReplies: () => void;
}

export async function createVisits(
	browser: Browser,
	{ url }: Pick<Service, "url">,
	key: string,
): Promise<Visits> {
	const complaints: string[] = [];
	const asked: string[] = [];
	/** The requests without a reply, of each page. */
	const open: Set<Request>[] = [];

	async function visit(
		hash: string,
		options: BrowserContextOptions,
	): Promise<Page> {
		const context = await browser.newContext({
			viewport: { width: 1280, height: 800 },
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
		await page.goto(`${url}/console${hash}`);
		return page;
	}

	const first = await visit("", {});
	await first.getByLabel("API key").fill(key);
	await first.getByRole("button", { name: "Sign in" }).click();
	await first.getByRole("heading", { name: "Catalogue" }).waitFor();
	const storageState = await first.context().storageState();
	await first.context().close();

	return {
		open: async (hash = "", options = {}) => {
			const page = await visit(hash, { storageState, ...options });
			await page.getByRole("button", { name: "Sign out" }).waitFor();
			return page;
		},
		openSignedOut: (hash = "", options = {}) => visit(hash, options),
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
			const outside = asked.splice(0).filter((one) => !one.startsWith(url));
			expect(outside).toEqual([]);
			expect(complaints.splice(0)).toEqual([]);
		},
	};
}

export function rowOf(page: Page, text: string) {
	return page
		.locator(".pets tbody tr, .keys tbody tr")
		.filter({ hasText: text });
}

export async function openDrawer(page: Page, name: string): Promise<void> {
	await rowOf(page, name).getByRole("button", { name: "Open " }).click();
	await page.locator(".drawer form").waitFor();
}

export async function chooseStatus(
	page: Page,
	name: string,
	status: string,
): Promise<void> {
	await rowOf(page, name).getByLabel("Status of").selectOption(status);
}

/** Waits for a condition that Playwright cannot wait for. */
export async function until(isTrue: () => Promise<boolean>): Promise<void> {
	const end = Date.now() + 10_000;
	while (!(await isTrue())) {
		if (Date.now() > end) throw new Error("It did not become true.");
		await Bun.sleep(50);
	}
}
