// Counts animals in slices, which take turns with other requests, for at most a second.
import { type Awaitable, createTurns, withTimeout } from "../domain/async.ts";
import { storeUnavailable } from "../domain/errors.ts";
import {
	filterToText,
	type IndexedFilter,
	type PetFilter,
} from "../domain/filter.ts";
import { petStatuses } from "../domain/pet.ts";
import { countCacheMs, countMs, operatorAnswerMs } from "../limits.ts";
import type { Catalogue, CountRange, PetCount } from "../store/catalogue.ts";

/** Animals in a slice. Both slices take SQLite about two milliseconds. */
export const countSlice = 50_000;
const categorySlice = 5_000;
const countPauseMs = 1;

/** A count of more slices is cached for `countCacheMs`. They take about 60 ms, with the pauses between them. */
const quickSlices = 20;

type CountedFilter = IndexedFilter & Pick<PetFilter, "categoryId">;
type Counting = Pick<Catalogue, "countPets" | "countCategories">;
type IsEnough = () => boolean;
/** For commands: no request waits for them. */
const never: IsEnough = () => false;

export interface Total {
	readonly pets: number;
	/** If not, `pets` is a lower bound. */
	readonly isComplete: boolean;
}

export type Counts = ReturnType<typeof createCounts>;

export function createCounts(catalogue: Catalogue, isLimited = true) {
	const takeTurn = createTurns(countPauseMs);
	const inTurns: Counting = {
		countPets: (range) => takeTurn(() => catalogue.countPets(range)),
		countCategories: (range) =>
			takeTurn(() => catalogue.countCategories(range)),
	};
	const count = share(
		(filter: CountedFilter, isEnough) => countPets(inTurns, filter, isEnough),
		filterToText,
		isLimited,
	);
	return {
		async count(filter: CountedFilter): Promise<Total> {
			if (filter.status !== undefined || filter.categoryId !== undefined)
				return count(filter);
			// Only the index by status is smaller than the table.
			const totals = await Promise.all(
				petStatuses.map((status) => count({ ...filter, status })),
			);
			return {
				pets: totals.reduce((sum, { pets }) => sum + pets, 0),
				isComplete: totals.every(({ isComplete }) => isComplete),
			};
		},
		countCategories: share(
			(ids: readonly bigint[], isEnough) =>
				countCategories(inTurns, ids, {}, isEnough),
			String,
			isLimited,
		),
	};
}

export async function countPets(
	counting: Counting,
	{ categoryId, ...indexed }: CountedFilter,
	isEnough = never,
): Promise<Total> {
	if (categoryId !== undefined) {
		const ids = [categoryId];
		const counted = await countCategories(counting, ids, indexed, isEnough);
		return { ...counted, pets: counted.pets.get(categoryId) ?? 0 };
	}
	let pets = 0;
	const range = { ...indexed, limit: countSlice };
	const isComplete = await readSlices(
		counting.countPets,
		range,
		isEnough,
		({ count }) => {
			pets += count;
		},
	);
	return { pets, isComplete };
}

/** Categories have no index, so this reads the animals themselves. */
export async function countCategories(
	counting: Counting,
	ids: readonly bigint[],
	filter: IndexedFilter = {},
	isEnough = never,
) {
	const pets = new Map(ids.map((id) => [id, 0]));
	if (pets.size === 0) return { pets, isComplete: true };
	const isComplete = await readSlices(
		counting.countCategories,
		{ ...filter, limit: categorySlice },
		isEnough,
		({ byCategory }) => {
			for (const [id, count] of byCategory) {
				const known = pets.get(id);
				if (known !== undefined) pets.set(id, known + count);
			}
		},
	);
	return { pets, isComplete };
}

async function readSlices<Slice extends PetCount>(
	read: (range: CountRange) => Awaitable<Slice>,
	range: Omit<CountRange, "afterId">,
	isEnough: IsEnough,
	add: (slice: Slice) => void,
): Promise<boolean> {
	for (let afterId = 0n; ; ) {
		const slice = await read({ ...range, afterId });
		add(slice);
		if (slice.lastId === undefined || slice.count < range.limit) return true;
		if (isEnough()) return false;
		afterId = slice.lastId;
	}
}

/** Callers share a running count, or a slow one that has just ended. */
function share<Key, Result>(
	count: (key: Key, isEnough: IsEnough) => Promise<Result>,
	toText: (key: Key) => string,
	isLimited: boolean,
): (key: Key) => Promise<Result> {
	if (!isLimited) return (key) => count(key, never);
	const counts = new Map<string, Promise<Result>>();
	return (key) => {
		const text = toText(key);
		const known = counts.get(text);
		if (known !== undefined) return known;
		const end = performance.now() + countMs;
		let slices = 1;
		const isEnough = () => {
			slices += 1;
			return performance.now() > end;
		};
		const counting = withTimeout(
			operatorAnswerMs,
			count(key, isEnough),
			storeUnavailable,
		);
		counts.set(text, counting);
		const forget = () => counts.delete(text);
		counting.then(() => {
			if (slices > quickSlices) setTimeout(forget, countCacheMs).unref();
			else forget();
		}, forget);
		return counting;
	};
}
