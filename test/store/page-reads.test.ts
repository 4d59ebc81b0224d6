// Pages that are read from PostgreSQL: which callers share a query, and how many are read at the same time.
import { expect, test } from "bun:test";
import { overloaded } from "../../src/domain/errors.ts";
import type { Pet } from "../../src/domain/pet.ts";
import type { Page } from "../../src/store/catalogue.ts";
import { createPageReads } from "../../src/store/postgres/requests/page-reads.ts";

function pageFrom(maxId: bigint, limit = 101): Page {
	return { limit, maxId, status: undefined };
}

/** A source of pages whose reads end when the test says so. The animal of a page has the id that the page begins with. */
function openSource(max?: number) {
	const reads: { page: Page; end: () => void; fail: (e: Error) => void }[] = [];
	const list = createPageReads((page) => {
		const { promise, resolve, reject } =
			Promise.withResolvers<readonly Pet[]>();
		const pet = { id: page.maxId ?? 0n, name: "x", categoryId: 1n } as const;
		const end = () => resolve([{ ...pet, status: "sold" }]);
		reads.push({ page, end, fail: reject });
		return promise;
	}, max);
	return { list, reads };
}

/** Waits until the reads that are due have started. */
async function nextIteration(): Promise<void> {
	for (let time = 0; time < 2; time++) await new Promise(setImmediate);
}

test("reads a page once for callers that ask together, and once more for later callers", async () => {
	const { list, reads } = openSource();
	const first = [list(pageFrom(1n)), list(pageFrom(1n))];
	await nextIteration();
	const later = [list(pageFrom(1n)), list(pageFrom(1n))];
	await nextIteration();
	expect(reads).toHaveLength(1);
	reads[0]?.end();
	const [one, two] = await Promise.all(first);
	expect(one).toBe(two ?? []);
	await nextIteration();
	expect(reads).toHaveLength(2);
	reads[1]?.end();
	const [three, four] = await Promise.all(later);
	expect(three).toBe(four ?? []);
	expect(three).not.toBe(one ?? []);
});

test("returns a page as soon as it was read, while other pages are still being read", async () => {
	const { list, reads } = openSource();
	const slow = list(pageFrom(1n));
	const fast = list(pageFrom(2n));
	await nextIteration();
	reads[1]?.end();
	expect(await fast).toMatchObject([{ id: 2n }]);
	const again = list(pageFrom(2n));
	await nextIteration();
	reads[2]?.end();
	expect(await again).toMatchObject([{ id: 2n }]);
	reads[0]?.end();
	expect(await slow).toMatchObject([{ id: 1n }]);
});

test("reads at most `max` pages at the same time, in the order of the requests", async () => {
	const { list, reads } = openSource(2);
	const pages = [0n, 1n, 2n, 3n].map((maxId) => list(pageFrom(maxId)));
	const started = async () => {
		await nextIteration();
		return reads.map(({ page }) => page.maxId);
	};
	expect(await started()).toEqual([0n, 1n]);
	reads[0]?.end();
	await pages[0];
	expect(await started()).toEqual([0n, 1n, 2n]);
	for (const { end } of reads) end();
	await Promise.all(pages.slice(0, 3));
	expect(await started()).toEqual([0n, 1n, 2n, 3n]);
	reads[3]?.end();
	expect(await pages[3]).toMatchObject([{ id: 3n }]);
});

test("rejects the callers of a read that fails, and makes room for the next page", async () => {
	const { list, reads } = openSource(1);
	const failed = Promise.allSettled([
		list(pageFrom(1n, 1)),
		list(pageFrom(1n, 1)),
	]);
	const next = list(pageFrom(2n, 1));
	await nextIteration();
	reads[0]?.fail(new Error("lost"));
	expect(await failed).toMatchObject([
		{ status: "rejected", reason: { message: "lost" } },
		{ status: "rejected", reason: { message: "lost" } },
	]);
	await nextIteration();
	reads[1]?.end();
	expect(await next).toMatchObject([{ id: 2n }]);
});

test("refuses a page when its last caller has waited for more than a second", async () => {
	const { list, reads } = openSource(1);
	const slow = list(pageFrom(1n, 1));
	await nextIteration();
	const late = Promise.allSettled([list(pageFrom(2n, 1))]);
	const joined = list(pageFrom(3n, 1));
	await Bun.sleep(1_100);
	const inTime = list(pageFrom(3n, 1));
	reads[0]?.end();
	await slow;
	await nextIteration();
	expect(reads.map(({ page }) => page.maxId)).toEqual([1n, 3n]);
	reads[1]?.end();
	expect(await inTime).toMatchObject([{ id: 3n }]);
	expect(await joined).toBe(await inTime);
	expect(await late).toEqual([{ status: "rejected", reason: overloaded }]);
});
