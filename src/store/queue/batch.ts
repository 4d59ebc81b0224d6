// One call to the engine for many callers: requests that arrive while a batch is running are collected for the next one.
import type { Awaitable } from "../../domain/async.ts";
import { type Authored, byCommandLine } from "../../domain/author.ts";
import { overloaded } from "../../domain/errors.ts";
import { maxQueued, maxQueueMs, maxWaitingChanges } from "../../limits.ts";
import type { Catalogue, Changed, PetChange } from "../catalogue.ts";

/** Requests in one query of PostgreSQL. */
const maxBatch = 256;

/**
 * `run` gets the items of one batch and returns a result for each, in the same order. If it throws, all of the batch fails;
 * a result that is a rejected promise fails one item.
 *
 * A batch starts after all its items have arrived, so each caller sees every write acknowledged before its request.
 */
export function createBatch<Item, Result>(
	run: (items: readonly Item[]) => Promise<readonly Awaitable<Result>[]>,
	{ maxSize = maxBatch, lingerMs = 0 }: BatchOptions = {},
): (item: Item) => Promise<Result> {
	let queue: Entry<Item, Result>[] = [];
	let isRunning = false;
	let lastSize = 1;
	let linger: Timer | undefined;

	/** Callers of the last batch usually call again soon, so the next batch waits briefly for as many requests. */
	function startIfDue(): void {
		if (isRunning || queue.length === 0) return;
		if (queue.length >= lastSize || lingerMs === 0) start();
		else linger ??= setTimeout(start, lingerMs);
	}

	function start(): void {
		clearTimeout(linger);
		linger = undefined;
		isRunning = true;
		// At the end of the event loop iteration, so that all its requests share the batch.
		setImmediate(runBatch);
	}

	async function runBatch(): Promise<void> {
		refuseOverdue();
		const batch = queue.slice(0, maxSize);
		queue = queue.slice(maxSize);
		lastSize = batch.length;
		if (batch.length > 0)
			try {
				const results = await run(batch.map(({ item }) => item));
				results.forEach((result, index) => {
					batch[index]?.resolve(result);
				});
			} catch (error) {
				for (const { reject } of batch) reject(error);
			}
		isRunning = false;
		startIfDue();
	}

	/** Overdue requests were in no batch yet, so they were certainly not done. The oldest is the first. */
	function refuseOverdue(): void {
		const earliest = performance.now() - maxQueueMs;
		while (queue[0] !== undefined && queue[0].queuedAt < earliest)
			queue.shift()?.reject(overloaded);
	}

	return (item) =>
		new Promise((resolve, reject) => {
			if (queue.length >= maxQueued) return reject(overloaded);
			queue.push({ item, queuedAt: performance.now(), resolve, reject });
			startIfDue();
		});
}

interface BatchOptions {
	readonly maxSize?: number;
	readonly lingerMs?: number;
}

interface Entry<Item, Result> {
	readonly item: Item;
	readonly queuedAt: number;
	readonly resolve: (result: Awaitable<Result>) => void;
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
 * Makes the changes of one call at a time, and refuses calls when too many changes wait. So SQLite answers other requests between two
 * calls. On PostgreSQL, calls that wait for locked rows hold only one connection.
 */
export function changeInTurn(
	change: (
		changes: readonly PetChange[],
		authored: Authored,
	) => Promise<Changed>,
	max = maxWaitingChanges,
): Catalogue["changePets"] {
	const inTurn = createBatch(
		(calls: readonly (() => Promise<Changed>)[]) =>
			Promise.all(calls.map((call) => call())),
		{ maxSize: 1 },
	);
	let waiting = 0;
	return async (changes, authored = byCommandLine()) => {
		if (waiting + changes.length > max) throw overloaded;
		waiting += changes.length;
		try {
			return await inTurn(() => change(changes, authored));
		} finally {
			waiting -= changes.length;
		}
	};
}
