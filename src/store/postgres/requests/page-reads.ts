// Reads pages from PostgreSQL. Callers that wait for the same page share a query, and each page is returned as soon as it was read.
import { overloaded } from "../../../domain/errors.ts";
import { maxPageReads, maxQueueMs } from "../../../limits.ts";
import { type Page, pageToText } from "../../catalogue.ts";

/**
 * A query starts after all its callers have asked, so each of them sees every write that was acknowledged before its request. While a page
 * is being read, the further callers for it wait for its next query.
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
		for (const [key, { page, callers }] of waiting) {
			if (running.has(key)) continue;
			if (running.size >= max) return;
			waiting.delete(key);
			const inTime = refuseOverdue(callers);
			if (inTime.length > 0) run(key, page, inTime);
		}
	}

	async function run(
		key: string,
		page: Page,
		callers: readonly Caller<Result>[],
	): Promise<void> {
		running.add(key);
		await settle(read(page), callers);
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

interface PageRead<Result> {
	readonly page: Page;
	readonly callers: Caller<Result>[];
}

interface Caller<Result> {
	readonly askedAt: number;
	readonly resolve: (result: Result) => void;
	readonly reject: (error: unknown) => void;
}

async function settle<Result>(
	reading: Promise<Result>,
	callers: readonly Caller<Result>[],
): Promise<void> {
	try {
		const result = await reading;
		for (const { resolve } of callers) resolve(result);
	} catch (error) {
		for (const { reject } of callers) reject(error);
	}
}

/** Returns the others. */
function refuseOverdue<Result>(
	callers: readonly Caller<Result>[],
): readonly Caller<Result>[] {
	const earliest = performance.now() - maxQueueMs;
	for (const { askedAt, reject } of callers)
		if (askedAt < earliest) reject(overloaded);
	return callers.filter(({ askedAt }) => askedAt >= earliest);
}
