// The figures that one looks at first, and the charts: how many requests a second, and how long those of one operation took.
import type { UsageRow } from "../api/usage.ts";
import { Chart } from "../charts/chart.tsx";
import {
	formatStart,
	type Part,
	type Period,
	periods,
	sum,
	toParts,
} from "../charts/periods.ts";
import {
	formatCount,
	formatMs,
	formatPercent,
	formatShort,
} from "../parts/format.ts";
import type { Traffic } from "./state.ts";

export function Figures({
	traffic,
	byTime,
	byOperation,
	operation,
}: {
	traffic: Traffic;
	byTime: readonly UsageRow[];
	/** The one with the most requests first. */
	byOperation: readonly UsageRow[];
	/** The one whose durations are shown. */
	operation: string;
}) {
	const period = periods[traffic.period];
	const parts = toParts(byTime, period, traffic.now);
	const own = byTime.filter((row) => row.operation === operation);
	const ownParts = toParts(own, period, traffic.now);
	const rates = toRates(parts, period);
	const requests = sum(byOperation.map((row) => row.requests));
	const errors = sum(byOperation.map((row) => row.errors));
	const [busiest] = byOperation;
	const times = {
		labels: parts.map(({ start }) => formatStart(start, period)),
		labelName: period.partName,
	};
	const figures = [
		["Requests a second", formatShort(rates.requests), rates.name],
		["Requests", formatCount(requests), periodNames[traffic.period]],
		[
			"Errors",
			formatPercent(errors, requests),
			`${formatCount(errors)} requests`,
		],
		[
			"Duration, p99",
			formatMs(busiest?.p99Ms),
			busiest === undefined
				? "no requests"
				: `${busiest.operation}; half of them within ${formatMs(busiest.p50Ms)}`,
		],
	];
	return (
		<>
			<dl class="headline">
				{figures.map(([title, value, detail]) => (
					<div key={title}>
						<dt>{title}</dt>
						<dd>
							<span class="figure">{value}</span> <small>{detail}</small>
						</dd>
					</div>
				))}
			</dl>
			<div class="charts">
				<Chart
					{...times}
					title="Requests a second"
					resting={{
						label: rates.name,
						values: [rates.requests, rates.errors],
					}}
					kind="bars"
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
				<Chart
					{...times}
					title={`Duration of ${operation} in ms`}
					kind="lines"
					series={[
						{
							name: "p99",
							colour: "second",
							values: ownParts.map(({ p99Ms }) => p99Ms),
						},
						{
							name: "p50",
							colour: "main",
							values: ownParts.map(({ p50Ms }) => p50Ms),
						},
					]}
					format={formatMs}
				/>
			</div>
		</>
	);
}

const periodNames = {
	hour: "in the last hour",
	day: "in the last day",
	month: "in the last 30 days",
} as const;

/** The current rates: over the last minute where minutes are shown, else over the whole period. */
function toRates(parts: readonly Part[], { unit, partMs }: Period) {
	const isLive = unit === "minute";
	const weighted = isLive ? toLastMinute(parts, partMs / 1000) : parts;
	const seconds = sum(weighted.map((part) => part.seconds));
	return {
		name: isLive ? "mean of the last minute" : "mean of the period",
		requests: sum(weighted.map(({ requests }) => requests)) / seconds,
		errors: sum(weighted.map(({ errors }) => errors)) / seconds,
	};
}

/** The current minute, and as much of the one before as is missing in it: it may have just begun. */
function toLastMinute(
	parts: readonly Part[],
	minute: number,
): readonly Pick<Part, "seconds" | "requests" | "errors">[] {
	const current = parts.slice(-1);
	const missing = minute - sum(current.map(({ seconds }) => seconds));
	const before = parts.slice(-2, -1).map(({ requests, errors }) => ({
		seconds: missing,
		requests: (requests * missing) / minute,
		errors: (errors * missing) / minute,
	}));
	return [...before, ...current];
}
