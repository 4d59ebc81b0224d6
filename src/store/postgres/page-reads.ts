// Reads pages from PostgreSQL. Callers that wait for the same page share a query, and each page is returned as soon as it was read. The
// animals that are read at the same time are limited, since clients choose the pages and names can be long.
import { overloaded } from "../../contract/errors.ts";
import type { Pet } from "../../contract/pet.ts";
import { maxBodyBytes, maxQueueMs, maxReadBytes } from "../../limits.ts";
import { type Page, pageToText } from "../catalogue.ts";

/**
 * A query starts after all its callers have asked, so each of them sees every write that was acknowledged before its request. While a page
 * is being read, the further callers for it wait for its next query.
 */
export function createPageReads(
	read: (page: Page) => Promise<readonly Pet[]>,
	maxPets = maxReadPets,
): (page: Page) => Promise<readonly Pet[]> {
	/** By page, in the order in which the first caller of each came. */
	const waiting = new Map<string, PageRead>();
	const running = new Set<string>();
	let petsBeingRead = 0;
	let isDue = false;

	function startSoon(): void {
		if (isDue || waiting.size === 0) return;
		isDue = true;
		// At the end of the event loop iteration, so that all its requests share the queries.
		setImmediate(startWaiting);
	}

	function startWaiting(): void {
		isDue = false;
		for (const [key, { page, callers }] of waiting) {
			if (running.has(key)) continue;
			// Smaller pages do not overtake it, or it might never be read. One above the limit is read alone.
			if (running.size > 0 && petsBeingRead + page.limit > maxPets) return;
			waiting.delete(key);
			const inTime = refuseOverdue(callers);
			if (inTime.length > 0) run(key, page, inTime);
		}
	}

	async function run(
		key: string,
		page: Page,
		callers: readonly Caller[],
	): Promise<void> {
		running.add(key);
		petsBeingRead += page.limit;
		await settle(read(page), callers);
		petsBeingRead -= page.limit;
		running.delete(key);
		startSoon();
	}

	return (page) =>
		new Promise((resolve, reject) => {
			const key = pageToText(page);
			const caller = { askedAt: performance.now(), resolve, reject };
			const joined = waiting.get(key);
			if (joined === undefined) waiting.set(key, { page, callers: [caller] });
			else joined.callers.push(caller);
			startSoon();
		});
}

/** The number of animals that fit if all of them have the longest name. Most are far shorter, but that is known only once they were read. */
const maxReadPets = Math.floor(maxReadBytes / maxBodyBytes);

interface PageRead {
	readonly page: Page;
	readonly callers: Caller[];
}

interface Caller {
	readonly askedAt: number;
	readonly resolve: (pets: readonly Pet[]) => void;
	readonly reject: (error: unknown) => void;
}

async function settle(
	reading: Promise<readonly Pet[]>,
	callers: readonly Caller[],
): Promise<void> {
	try {
		const pets = await reading;
		for (const { resolve } of callers) resolve(pets);
	} catch (error) {
		for (const { reject } of callers) reject(error);
	}
}

/** Returns the others. */
function refuseOverdue(callers: readonly Caller[]): readonly Caller[] {
	const earliest = performance.now() - maxQueueMs;
	for (const { askedAt, reject } of callers)
		if (askedAt < earliest) reject(overloaded);
	return callers.filter(({ askedAt }) => askedAt >= earliest);
}
