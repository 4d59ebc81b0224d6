// Runs tests of the console on both engines: a service with an empty catalogue, and a browser in which Ada is signed in.
import { afterAll, afterEach, beforeAll, describe } from "bun:test";
import { buildPages } from "../../../build/pages.ts";
import { openBrowser } from "../../harness/browser.ts";
import {
	add,
	idOf,
	openService,
	type Service,
	startMs,
} from "../../service.ts";
import { createVisits, type Visits } from "./visit.ts";

export interface Opened {
	readonly service: Service;
	readonly visits: Visits;
	/** Ada's key. */
	readonly key: string;
	/** Returns its id. */
	readonly addPet: (name: string) => Promise<string>;
}

/** `opened` returns the state of the running test. */
export async function describeOnEngines(
	define: (opened: () => Opened, engine: "sqlite" | "postgres") => void,
): Promise<void> {
	const browser = await openBrowser();
	if (browser === undefined) return describe.skip("in a browser", () => {});
	await buildPages();
	afterAll(() => browser.close());
	describe.each(["sqlite", "postgres"] as const)("%s", (engine) => {
		let opened: Opened;
		beforeAll(async () => {
			const service = await openService("over a socket", { engine });
			const key = await service.makeKey({ scope: "operator", name: "Ada" });
			const visits = await createVisits(browser, service, key);
			const addPet = async (name: string) =>
				String(idOf(await add(service, `{"name":"${name}","categoryId":1}`)));
			opened = { service, visits, key, addPet };
		}, startMs);
		afterAll(() => opened.service.close());
		afterEach(() => opened.visits.end());
		define(() => opened, engine);
	});
}
