// The figures of the traffic, as they were last read.
import { signal } from "@preact/signals";
import type { Key, Keys } from "../api/keys.ts";
import type { Usage, UsageRow } from "../api/usage.ts";
import { type PeriodName, periods, toStarts } from "../charts/periods.ts";
import { isolate } from "../parts/labels.ts";
import { attempt } from "../parts/poll.tsx";

/** How often the figures are read while they are shown. */
export const trafficRefreshMs = 5_000;
/** How often the names of keys and the callers of a deprecated operation are read: their sums are of 30 days. */
const callersRefreshMs = 60_000;

interface Figures {
	readonly period: PeriodName;
	readonly now: number;
	readonly byTime: readonly UsageRow[];
	readonly byOperation: readonly UsageRow[];
	readonly byKey: readonly UsageRow[];
}

interface Callers {
	/** By operation, key and day, for the last 30 days. */
	readonly month: readonly UsageRow[];
	/** By operation and key, for the last 24 hours. */
	readonly day: readonly UsageRow[];
	readonly keys: readonly Key[];
}

export interface Traffic extends Figures, Callers {}

export type TrafficState = ReturnType<typeof createTrafficState>;

export function createTrafficState(usage: Usage, keys: Keys) {
	const period = signal<PeriodName>("hour");
	const traffic = signal<Traffic | undefined>(undefined);
	const failure = signal<string | undefined>(undefined);
	let known: { readonly at: number; readonly callers: Callers } | undefined;

	/** They change slowly and cost more, so they are read less often. */
	async function readCallers(ending: AbortSignal): Promise<Callers> {
		const now = Date.now();
		if (known !== undefined && now - known.at < callersRefreshMs)
			return known.callers;
		const [month, day, all] = await Promise.all([
			usage.listDays(toFirst("month", now), periods.month.parts, ending),
			usage.list(toFirst("day", now), ["operation", "key"], ending),
			keys.list(ending),
		]);
		const callers = { month, day, keys: all };
		known = { at: now, callers };
		return callers;
	}

	return {
		period,
		/** Whether requests to the operator interface count too. They include those of this console. */
		includesOperator: signal(false),
		/** The operation whose durations are shown; "" for that with the most requests. */
		operation: signal(""),
		traffic,
		failure,
		load: (ending: AbortSignal) =>
			attempt(failure, ending, async () => {
				const [figures, callers] = await Promise.all([
					readFigures(period.peek(), usage, ending),
					readCallers(ending),
				]);
				traffic.value = { ...figures, ...callers };
			}),
	};
}

async function readFigures(
	period: PeriodName,
	usage: Usage,
	ending: AbortSignal,
): Promise<Figures> {
	const now = Date.now();
	const from = toFirst(period, now);
	const [byTime, byOperation, byKey] = await Promise.all([
		usage.list(from, ["operation", periods[period].unit], ending),
		usage.list(from, ["operation"], ending),
		usage.list(from, ["operation", "key"], ending),
	]);
	return { period, now, byTime, byOperation, byKey };
}

function toFirst(period: PeriodName, now: number): number {
	return toStarts(periods[period], now)[0] ?? now;
}

/** A key as a person knows it, with its id if another key has the same name. */
export function toKeyName(
	key: string | undefined,
	keys: readonly Key[],
): string {
	if (key === undefined) return "without a valid key";
	const name = keys.find(({ id }) => String(id) === key)?.name;
	if (name === undefined) return key;
	const isShared = keys.filter((other) => other.name === name).length > 1;
	return isShared ? `${isolate(name)} #${key}` : name;
}
