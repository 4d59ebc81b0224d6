// Adds the counted requests to the store: at intervals, when someone asks for usage, and when the service stops.
import { setTimeout as sleep } from "node:timers/promises";
import {
	maxUnflushedCounts,
	usageFlushCounts,
	usageFlushMs,
	usageFlushWaitMs,
} from "../limits.ts";
import type { FailureLog } from "../log/failures.ts";
import { addNumbers } from "../store/usage/rows.ts";
import type { Usage, UsageCount } from "../store/usage.ts";
import type { Counter } from "./counter.ts";

export function startFlush(
	{ take }: Pick<Counter, "take">,
	{ add }: Pick<Usage, "add">,
	failures: Pick<FailureLog, "reportWork">,
	{ clock = Date.now, maxCounts = maxUnflushedCounts } = {},
) {
	/** Counts to add later. */
	let waiting: readonly UsageCount[] = [];
	let takenAt = clock();
	let adding: Promise<void> | undefined;
	let timer = setTimeout(flushAndWait, untilNext()).unref();

	/** Intervals are aligned with the minute, so that all requests of one belong to the same minute. */
	function untilNext(): number {
		return usageFlushMs - (clock() % usageFlushMs);
	}

	function flushAndWait(): void {
		void flush();
		timer = setTimeout(flushAndWait, untilNext()).unref();
	}

	function flush(): Promise<void> {
		const at = takenAt;
		takenAt = clock();
		keep(take().map((count) => ({ ...count, at })));
		adding ??= addAll().finally(() => {
			adding = undefined;
		});
		return adding;
	}

	function keep(counts: readonly UsageCount[]): void {
		const all = [...waiting, ...counts];
		waiting = all.length > maxCounts ? combine(all) : all;
	}

	async function addAll(): Promise<void> {
		while (waiting.length > 0) {
			const some = waiting.slice(0, usageFlushCounts);
			waiting = waiting.slice(some.length);
			try {
				await add(some);
			} catch (error) {
				keep(some);
				return failures.reportWork(error, "the usage was not stored");
			}
		}
	}

	return {
		/** Adds the counts until now. Resolves when the store has them, or after a short time. Never rejects. */
		async now(): Promise<void> {
			await Promise.race([
				flush(),
				sleep(usageFlushWaitMs, undefined, { ref: false }),
			]);
		},
		/** Adds the last counts. Never rejects. */
		async stop(): Promise<void> {
			clearTimeout(timer);
			await flush();
		},
	};
}

/** One count for each key, operation and status, with the latest of their times. */
function combine(counts: readonly UsageCount[]): readonly UsageCount[] {
	const combined = new Map<string, UsageCount>();
	for (const count of counts) {
		const name = `${count.status} ${count.operation} ${count.key}`;
		const before = combined.get(name);
		combined.set(name, {
			...count,
			at: Math.max(count.at, before?.at ?? 0),
			requests: count.requests + (before?.requests ?? 0),
			durations: addNumbers(count.durations, before?.durations ?? []),
		});
	}
	return [...combined.values()];
}
