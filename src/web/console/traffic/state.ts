// The choices of the user in the traffic view, and the requests for its figures.
import { signal } from "@preact/signals";
import type { Keys } from "../api/keys.ts";
import type { ReadUsage } from "../api/usage.ts";
import { periods } from "../charts/periods.ts";

export type TrafficState = ReturnType<typeof createTrafficState>;
export type Figures = Awaited<ReturnType<TrafficState["readFigures"]>>;
export type Callers = Awaited<ReturnType<TrafficState["readCallers"]>>;

export function createTrafficState(readUsage: ReadUsage, keys: Keys) {
	const chosen = signal<keyof typeof periods>("hour");
	return {
		chosen,
		/** Whether requests to the operator interface count. They include the requests of this console. */
		includesOperator: signal(false),
		/** The operation of the durations; "" for the one with the most requests. */
		operation: signal(""),
		async readFigures(ending: AbortSignal) {
			const now = Date.now();
			const period = periods[chosen.peek()];
			const { unit } = period;
			const [byTime, byStatus, byOperation, byKey] = await Promise.all([
				readUsage(period, ["operation", unit], ending),
				readUsage(period, ["operation", "status", unit], ending),
				readUsage(period, ["operation"], ending),
				readUsage(period, ["operation", "key"], ending),
			]);
			return { period, now, byTime, byStatus, byOperation, byKey };
		},
		async readCallers(ending: AbortSignal) {
			const [month, day, all] = await Promise.all([
				readUsage(periods.month, ["operation", "key", "day"], ending),
				readUsage(periods.day, ["operation", "key"], ending),
				keys.list(ending),
			]);
			return { now: Date.now(), month, day, keys: all };
		},
	};
}
