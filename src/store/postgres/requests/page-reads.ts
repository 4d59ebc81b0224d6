// Reads pages from PostgreSQL. Callers that wait for the same page share a query. No page waits for another.
import { overloaded } from "../../../domain/errors.ts";
import { maxPageReads, maxQueueMs } from "../../../limits.ts";
import { type Page, pageToText } from "../../catalogue.ts";

/**
 * A query starts after all its callers have asked, so each sees every write acknowledged before its request. While a page is being read,
 * further callers for it wait for its next query.
 */
export function createPageReads<Result>(
	read: (page: Page) => Promise<Result>,
	max = maxPageReads,
): (page: Page) => Promise<Result> {
	/** By page, in the order in which the first caller of each came. */
	const waiting = new Map<string, PageRead<Result>>();
	const running = new Set<string>();
	let isDue = false;

	function startSoon(): void {
		if (isDue || waiting.size === 0) return;
		isDue = true;
		// At the end of the event loop iteration, so that all its requests share the queries.
		setImmediate(startWaiting);
	}

	function startWaiting(): void {
		isDue = false;
		for (const [key, next] of waiting) {
			if (running.has(key)) continue;
			if (running.size >= max) return;
			waiting.delete(key);
			if (performance.now() - next.askedAt > maxQueueMs)
				next.reject(overloaded);
			else run(key, next);
		}
	}

	async function run(
		key: string,
		{ page, resolve, reject }: PageRead<Result>,
	): Promise<void> {
		running.add(key);
		await read(page).then(resolve, reject);
		running.delete(key);
		startSoon();
	}

	return (page) => {
		const key = pageToText(page);
		const asked = waiting.get(key) ?? {
			...Promise.withResolvers<Result>(),
			page,
			askedAt: 0,
		};
		asked.askedAt = performance.now();
		waiting.set(key, asked);
		startSoon();
		return asked.promise;
	};
}

interface PageRead<Result> extends PromiseWithResolvers<Result> {
	readonly page: Page;
	/** When its last caller came. */
	askedAt: number;
}
