// Runs tests of the console: on both engines, with an empty catalogue and Ada signed in; or in a sandbox.
import { afterAll, afterEach, beforeAll, describe } from "bun:test";
import { buildPages } from "../../../build/pages.ts";
import { openPetstore, type Petstore } from "../../../src/petstore.ts";
import { defaultKey } from "../../../src/sandbox/access.ts";
import { defaultStart } from "../../../src/sandbox/demo-animals.ts";
import { openBrowser } from "../../harness/browser.ts";
import { silentLog } from "../../harness/log.ts";
import { temporaryFolder } from "../../harness/temporary.ts";
import {
	add,
	idOf,
	openService,
	type Service,
	startMs,
} from "../../service.ts";
import { createVisits, type Visits } from "./visit.ts";

/** Undefined if this machine has none. */
async function prepare() {
	const browser = await openBrowser();
	if (browser === undefined)
		console.warn("No browser on this machine: its tests are skipped.");
	else await buildPages();
	return browser;
}

export interface Opened {
	readonly service: Service;
	readonly visits: Visits;
	/** Ada's key. */
	readonly key: string;
	/** Of the backups. */
	readonly folder: string;
	/** Returns its id. */
	readonly addPet: (name: string) => Promise<string>;
	/** As clients get it; undefined if it was removed. */
	readonly readPet: (id: string) => Promise<unknown>;
}

/** `opened` returns the state of the running test. */
export async function describeOnEngines(
	define: (opened: () => Opened, engine: "sqlite" | "postgres") => void,
): Promise<void> {
	const browser = await prepare();
	if (browser === undefined) return;
	afterAll(() => browser.close());
	describe.each(["sqlite", "postgres"] as const)("%s", (engine) => {
		let opened: Opened;
		const backups = temporaryFolder();
		beforeAll(async () => {
			const service = await openService("over a socket", {
				engine,
				backups: { folder: backups.path },
			});
			const key = await service.makeKey({ scope: "operator", name: "Ada" });
			const visits = await createVisits(browser, service, key);
			opened = {
				...{ service, visits, key, folder: backups.path },
				addPet: async (name) =>
					String(idOf(await add(service, `{"name":"${name}","categoryId":1}`))),
				async readPet(id) {
					const response = await service.call(`/v1/pets/${id}`);
					return response.status === 404 ? undefined : response.json();
				},
			};
		}, startMs);
		afterAll(async () => {
			await opened.service.close();
			backups.remove();
		});
		afterEach(() => opened.visits.end());
		define(() => opened, engine);
	});
}

export interface OpenedSandbox {
	readonly service: Petstore;
	readonly visits: Visits;
	readonly folder: string;
}

/** A sandbox with this many animals. */
export async function describeInSandbox(
	pets: number,
	define: (opened: () => OpenedSandbox) => void,
): Promise<void> {
	const browser = await prepare();
	if (browser === undefined) return;
	afterAll(() => browser.close());
	describe(`a sandbox with ${pets} animals`, () => {
		let opened: OpenedSandbox;
		const backups = temporaryFolder();
		beforeAll(async () => {
			const service = await openPetstore({
				database: "sqlite::memory:",
				sandbox: { ...defaultStart, pets },
				log: { to: silentLog },
				backups: { folder: backups.path },
			});
			const visits = await createVisits(browser, service, defaultKey);
			opened = { service, visits, folder: backups.path };
		}, startMs);
		afterAll(async () => {
			await opened.service.stop();
			backups.remove();
		});
		afterEach(() => opened.visits.end());
		define(() => opened);
	});
}
