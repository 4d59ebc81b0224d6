// One call to the engine for many callers: requests that arrive while a batch is running are collected for the next one.
import { type Awaitable, withTimeout } from "../../domain/async.ts";
import { overloaded, storeUnavailable } from "../../domain/errors.ts";
import { maxLockMs, maxQueueMs } from "../../limits.ts";
import type { Engine, Known } from "./engine.ts";
import { findAmong, type Value } from "./sql.ts";
import type { StatementName } from "./statements.ts";

/**
 * Requests that may wait for a batch, or the sum of their sizes. SQLite commits this many within `maxQueueMs` even if an fsync takes 50 ms.
 * A much lower limit would refuse more requests, and a refusal costs nearly as much as an add.
 */
const maxQueued = 16_384;

/** How long a key lookup may take. It comes before the request's own query. */
const keyLookupMs = 1_000;

/** Requests in one query of PostgreSQL. */
const maxBatch = 256;

/** A batch that waited for a disk. */
const slowMs = 4;
/** How long the next one then waits for callers. */
const slowLingerMs = 4;

/**
 * `run` gets the items of one batch and returns a result for each, in the same order. If it throws, all of the batch fails.
 *
 * A batch starts after all its items have arrived, so each caller sees every write acknowledged before its request.
 */
export function createBatch<Item, Result>(
	run: (
		items: readonly Item[],
		/** When the oldest caller asked. */
		since: number,
	) => Promise<readonly Result[]>,
	options: BatchOptions<Item> = {},
): (item: Item) => Promise<Result> {
	const { maxSize = maxBatch, lingerMs = 0, sizeOf = () => 1 } = options;
	let queue: Entry<Item, Result>[] = [];
	/** The sizes of the items in the queue. */
	let waiting = 0;
	let isRunning = false;
	/** Callers who are likely to be there soon. */
	let expected = 1;
	/** How long the last batch ran. It may have waited for a long write, for which the next one is not to blame. */
	let lastMs = 0;
	let linger: Timer | undefined;

	function startIfDue(): void {
		if (isRunning || queue.length === 0) return;
		if (queue.length >= expected || lingerMs === 0) start();
		else linger ??= setTimeout(start, isSlow() ? slowLingerMs : lingerMs);
	}

	const isSlow = () => lastMs > slowMs;

	function start(): void {
		clearTimeout(linger);
		linger = undefined;
		isRunning = true;
		// At the end of the event loop iteration, so that all its requests share the batch.
		setImmediate(runBatch);
	}

	async function runBatch(): Promise<void> {
		const startedAt = performance.now();
		refuseOverdue(startedAt - Math.min(maxQueueMs + lastMs, maxLockMs));
		const batch = takeBatch();
		if (batch.length > 0)
			try {
				const since = batch[0]?.queuedAt ?? startedAt;
				const results = await run(
					batch.map(({ item }) => item),
					since,
				);
				results.forEach((result, index) => {
					batch[index]?.resolve(result);
				});
			} catch (error) {
				for (const { reject } of batch) reject(error);
			}
		lastMs = performance.now() - startedAt;
		isRunning = false;
		// Callers of a batch usually call again soon. After a slow one, those who came meanwhile wait for them: who misses a batch waits for two.
		expected = batch.length + (isSlow() ? queue.length : 0);
		startIfDue();
	}

	/** As many as fit, but at least one. */
	function takeBatch(): readonly Entry<Item, Result>[] {
		let [count, size] = [0, 0];
		for (const { item } of queue) {
			size += sizeOf(item);
			if (count > 0 && size > maxSize) break;
			waiting -= sizeOf(item);
			count++;
		}
		const batch = queue.slice(0, count);
		queue = queue.slice(count);
		return batch;
	}

	/** Overdue requests were in no batch yet, so they were certainly not done. The oldest is the first. */
	function refuseOverdue(earliest: number): void {
		while (queue[0] !== undefined && queue[0].queuedAt < earliest) {
			waiting -= sizeOf(queue[0].item);
			queue.shift()?.reject(overloaded);
		}
	}

	return (item) =>
		new Promise((resolve, reject) => {
			if (waiting + sizeOf(item) > maxQueued) return reject(overloaded);
			waiting += sizeOf(item);
			queue.push({ item, queuedAt: performance.now(), resolve, reject });
			startIfDue();
		});
}

interface BatchOptions<Item> {
	readonly maxSize?: number;
	/** 1 if not given. */
	readonly sizeOf?: (item: Item) => number;
	readonly lingerMs?: number;
}

interface Entry<Item, Result> {
	readonly item: Item;
	readonly queuedAt: number;
	readonly resolve: (result: Result) => void;
	readonly reject: (error: unknown) => void;
}

/** Callers at the same time share a call of `work`, which begins after all of them have asked. */
export function shareCalls<Result>(work: () => Promise<Result>) {
	const call = createBatch((callers: readonly true[]) =>
		work().then((result) => callers.map(() => result)),
	);
	return () => call(true);
}

/**
 * Finds the row with a value in a column. SQLite answers at once; on PostgreSQL callers at the same time share a question. `select` ends
 * with WHERE, and `toValue` gives the value of a row.
 */
export function openLookup<Found, Key extends Value = string>(
	engine: Engine,
	name: StatementName,
	select: string,
	column: string,
	toValue: (found: Found) => Key,
	/** How long a caller waits for PostgreSQL. The lookup of a key comes before the request's own question. */
	ms = keyLookupMs,
	known?: Known<Found>,
): (value: Key) => Awaitable<Found | undefined> {
	if (engine.toReadOne)
		return engine.toReadOne<Found>(name, `${select} ${column} = $1`);
	const find = createBatch(async (values: readonly Key[]) => {
		const found = await engine.read(
			() =>
				findAmong<Found>(
					name,
					`${select} ${column} IN (#)`,
					values.map((value) => [value]),
				),
			known && {
				isDurable: (found, durable) =>
					found.length === new Set(values).size &&
					found.every((row) => known.isDurable(row, durable)),
				onDurable(found) {
					for (const row of found) known.onDurable?.(row);
				},
			},
		);
		const rows = new Map(found.map((row) => [toValue(row), row]));
		return values.map((value) => rows.get(value));
	});
	return (value) => withTimeout(ms, find(value), storeUnavailable);
}
