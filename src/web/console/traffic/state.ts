// The choices of the user in the traffic view, and the requests for its figures.
import { signal } from "@preact/signals";
import type { Keys } from "../api/keys.ts";
import type { Usage } from "../api/usage.ts";
import { type PeriodName, periods, toStarts } from "../charts/periods.ts";

export type TrafficState = ReturnType<typeof createTrafficState>;
export type Figures = Awaited<ReturnType<TrafficState["readFigures"]>>;
export type Callers = Awaited<ReturnType<TrafficState["readCallers"]>>;

export function createTrafficState(usage: Usage, keys: Keys) {
	const period = signal<PeriodName>("hour");
	return {
		period,
		/** Whether requests to the operator interface count. They include the requests of this console. */
		includesOperator: signal(false),
		/** The operation of the durations; "" for the one with the most requests. */
		operation: signal(""),
		async readFigures(ending: AbortSignal) {
			const now = Date.now();
			const shown = period.peek();
			const from = toFirst(shown, now);
			const { unit } = periods[shown];
			const [byTime, byStatus, byOperation, byKey] = await Promise.all([
				usage.list(from, ["operation", unit], ending),
				usage.list(from, ["operation", "status", unit], ending),
				usage.list(from, ["operation"], ending),
				usage.list(from, ["operation", "key"], ending),
			]);
			return { period: shown, now, byTime, byStatus, byOperation, byKey };
		},
		async readCallers(ending: AbortSignal) {
			const now = Date.now();
			const [month, day, all] = await Promise.all([
				usage.listDays(
					toFirst("month", now),
					periods.month.parts,
					["operation", "key"],
					ending,
				),
				usage.list(toFirst("day", now), ["operation", "key"], ending),
				keys.list(ending),
			]);
			return { now, month, day, keys: all };
		},
	};
}

function toFirst(period: PeriodName, now: number): number {
	return toStarts(periods[period], now)[0] ?? now;
}
