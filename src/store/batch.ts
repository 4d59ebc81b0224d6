// Many callers, one trip to the engine: whoever arrives while a trip is under way rides the next one, unless it comes
// too late for them or too many wait already.
import type { Awaitable } from "../async/awaitable.ts";
import { overloaded } from "../contract/errors.ts";

/**
 * `trip` gets the items of all its riders and returns one result for each, in the same order. It fails for all of them, or
 * for some by giving them promises that are rejected.
 */
export function createBatch<Item, Result>(
	trip: (items: readonly Item[]) => Promise<readonly Awaitable<Result>[]>,
	{ maxRiders = 256, patienceMs = 0 } = {},
): (item: Item) => Promise<Result> {
	let waiting: Rider<Item, Result>[] = [];
	let underWay = false;
	let expected = 1;
	let patience: Timer | undefined;

	/** As many as rode last are likely to come again, and are waited for while the patience lasts. */
	function departWhenFull(): void {
		if (underWay || waiting.length === 0) return;
		if (waiting.length >= expected || patienceMs === 0) leave();
		else patience ??= setTimeout(leave, patienceMs);
	}

	function leave(): void {
		clearTimeout(patience);
		patience = undefined;
		underWay = true;
		// Not at once: requests that arrived in the same turn of the event loop ride together.
		setImmediate(depart);
	}

	async function depart(): Promise<void> {
		refuseLate();
		const riders = waiting.slice(0, maxRiders);
		waiting = waiting.slice(maxRiders);
		expected = riders.length;
		if (riders.length > 0) await carry(riders);
		underWay = false;
		departWhenFull();
	}

	async function carry(riders: readonly Rider<Item, Result>[]): Promise<void> {
		try {
			const results = await trip(riders.map(({ item }) => item));
			results.forEach((result, seat) => {
				riders[seat]?.resolve(result);
			});
		} catch (error) {
			for (const { reject } of riders) reject(error);
		}
	}

	/** What they asked for was not begun, so it is sure that it was not done. */
	function refuseLate(): void {
		const earliest = performance.now() - maxWaitMs;
		for (const { arrivedAt, reject } of waiting)
			if (arrivedAt < earliest) reject(overloaded);
		waiting = waiting.filter(({ arrivedAt }) => arrivedAt >= earliest);
	}

	return (item) =>
		new Promise((resolve, reject) => {
			if (waiting.length >= maxWaiting) return reject(overloaded);
			waiting.push({ item, arrivedAt: performance.now(), resolve, reject });
			departWhenFull();
		});
}

const maxWaitMs = 1_000;
/**
 * What SQLite takes within that second on a disk that syncs in 50 ms, 1,024 at a time; of the longest animals, 1 GiB. Far above the 1,000
 * that give the peak there: a refusal costs nearly what an add does, and callers who try again at once leave little for the others.
 */
const maxWaiting = 16_384;

interface Rider<Item, Result> {
	readonly item: Item;
	readonly arrivedAt: number;
	readonly resolve: (result: Awaitable<Result>) => void;
	readonly reject: (error: unknown) => void;
}
