// The charts of the traffic: how many requests a second, and how long those of one operation took.
import type { UsageRow } from "../api/usage.ts";
import { Chart } from "../charts/chart.tsx";
import {
	formatStart,
	type Period,
	periods,
	toParts,
} from "../charts/periods.ts";
import { formatMs, formatShort } from "../parts/format.ts";
import { toRates } from "./rates.ts";
import type { Traffic } from "./state.ts";

interface ChartRows {
	readonly rows: readonly UsageRow[];
	readonly traffic: Traffic;
}

export function RequestChart({ rows, traffic }: ChartRows) {
	const period = periods[traffic.period];
	const parts = toParts(rows, period, traffic.now);
	const { name, requests, errors } = toRates(parts, period);
	return (
		<Chart
			title="Requests a second"
			resting={{ label: name, values: [requests, errors] }}
			kind="bars"
			labels={toLabels(parts, period)}
			labelName={period.partName}
			series={[
				{
					name: "Requests",
					colour: "main",
					values: parts.map(({ requests, seconds }) => requests / seconds),
				},
				{
					name: "Errors",
					colour: "bad",
					values: parts.map(({ errors, seconds }) => errors / seconds),
				},
			]}
			format={(value = 0) => `${formatShort(value)}/s`}
		/>
	);
}

export function DurationChart({
	rows,
	operation,
	traffic,
}: ChartRows & { operation: string }) {
	const period = periods[traffic.period];
	const parts = toParts(rows, period, traffic.now);
	return (
		<Chart
			title={`Duration of ${operation} in ms`}
			kind="lines"
			labels={toLabels(parts, period)}
			labelName={period.partName}
			series={[
				{
					name: "p99",
					colour: "second",
					values: parts.map(({ p99Ms }) => p99Ms),
				},
				{
					name: "p50",
					colour: "main",
					values: parts.map(({ p50Ms }) => p50Ms),
				},
			]}
			format={formatMs}
		/>
	);
}

function toLabels(
	parts: readonly { readonly start: number }[],
	period: Period,
): readonly string[] {
	return parts.map(({ start }) => formatStart(start, period));
}
