// Runs tests of the console, with an empty catalogue and Ada signed in.
import { afterAll, beforeAll, describe } from "bun:test";
import type { BrowserContextOptions, Page } from "playwright-core";
import { temporaryFolder } from "../../harness/temporary.ts";
import {
	add,
	idOf,
	openService,
	type Service,
	type ServiceOptions,
	startMs,
} from "../../service.ts";
import { describeInBrowser, press, type Visits } from "../visit.ts";

type Open = (at?: string, options?: BrowserContextOptions) => Promise<Page>;

interface ConsoleVisits extends Visits {
	/** Opens the console at a hash, signed in. */
	readonly open: Open;
	/** Opens any page of the service, signed in. */
	readonly openPage: Open;
	readonly openSignedOut: Open;
}

export interface Opened {
	readonly service: Service;
	readonly visits: ConsoleVisits;
	/** Ada's key. */
	readonly key: string;
	/** Of the backups. */
	readonly folder: string;
	/** Returns its id. */
	readonly addPet: (name: string, categoryId?: number) => Promise<string>;
	/** As clients get it; undefined if it was removed. */
	readonly readPet: (id: string) => Promise<unknown>;
	/** The number of animals that match. */
	readonly count: (query?: string) => Promise<number>;
}

interface ConsoleOptions extends ServiceOptions {
	readonly engines?: readonly ("sqlite" | "postgres")[];
}

/** `opened` returns the state of the running test. */
export async function describeConsole(
	define: (opened: () => Opened) => void,
	{ engines = ["sqlite"], ...options }: ConsoleOptions = {},
): Promise<void> {
	await describeInBrowser((browser) => {
		describe.each(engines)("%s", (engine) => {
			let opened: Opened;
			const backups = temporaryFolder();
			beforeAll(async () => {
				const service = await openService("over a socket", {
					...options,
					engine,
					backups: { folder: backups.path },
				});
				const key = await service.makeKey({ scope: "operator", name: "Ada" });
				const visits = await signIn(browser, service.url, key);
				opened = {
					...{ service, visits, key, folder: backups.path },
					async addPet(name, categoryId = 1) {
						const body = JSON.stringify({ name, categoryId });
						return String(idOf(await add(service, body)));
					},
					async readPet(id) {
						const response = await service.call(`/v1/pets/${id}`);
						return response.status === 404 ? undefined : response.json();
					},
					async count(query = "") {
						const path = `/operator/v1/pets/count?${query}`;
						return (await (await service.call(path)).json()).pets;
					},
				};
			}, startMs);
			afterAll(async () => {
				await opened.service.close();
				backups.remove();
			});
			define(() => opened);
		});
	});
}

/** Signs in only once for all pages, because a service accepts ten sign-ins a minute. */
async function signIn(
	visits: Visits,
	url: string,
	key: string,
): Promise<ConsoleVisits> {
	const openSignedOut: Open = (hash = "", options = {}) =>
		visits.visit(`${url}/console${hash}`, options);
	const first = await openSignedOut();
	await first.getByLabel("API key").fill(key);
	await press(first, "Sign in");
	await first.getByRole("heading", { name: "Catalogue" }).waitFor();
	const storageState = await first.context().storageState();
	await first.context().close();
	const openPage: Open = (path = "/", options = {}) =>
		visits.visit(url + path, { storageState, ...options });
	return {
		...visits,
		openPage,
		openSignedOut,
		async open(hash = "", options = {}) {
			const page = await openPage(`/console${hash}`, options);
			await page.getByRole("button", { name: "Sign out" }).waitFor();
			return page;
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
