// The headline figures, and the charts: requests a second by class of status, and the durations of one operation.
import type { UsageRow } from "../api/usage.ts";
import { Chart } from "../charts/chart.tsx";
import {
	formatStart,
	type PeriodName,
	periods,
	sum,
	toParts,
} from "../charts/periods.ts";
import { countByClass, toClassSeries } from "../charts/statuses.ts";
import {
	formatCount,
	formatMs,
	formatNumber,
	formatPercent,
	formatShort,
} from "../parts/format.ts";

interface HeadlineProps {
	readonly period: PeriodName;
	readonly now: number;
	/** By operation and time. */
	readonly byTime: readonly UsageRow[];
	/** By operation, status and time. */
	readonly byStatus: readonly UsageRow[];
	readonly byOperation: readonly UsageRow[];
	readonly operation: string;
}

export function Headline(props: HeadlineProps) {
	const { now, byTime, byStatus, byOperation, operation } = props;
	const period = periods[props.period];
	const parts = toParts(byStatus, period, now);
	const own = byTime.filter((row) => row.operation === operation);
	const toTimes = (of: "p50Ms" | "p99Ms") =>
		toParts(own, period, now).map(({ rows: [row] }) => row?.[of]);
	const counts = countByClass(byStatus);
	const [, clientErrors = 0, serverErrors = 0] = counts;
	const requests = sum(counts);
	const [busiest] = byOperation;
	const times = {
		labels: parts.map(({ start }) => formatStart(start, period)),
		labelName: period.partName,
	};
	const { recent, name: periodName } = periodNames[props.period];
	// The last minute may have just begun, so the one before counts too.
	const counted = props.period === "hour" ? parts.slice(-2) : parts;
	const seconds = sum(counted.map((part) => part.seconds));
	const rates = countByClass(counted.flatMap(({ rows }) => rows)).map(
		(count) => count / seconds,
	);
	const toErrors = (title: string, count: number) => [
		title,
		formatPercent(count, requests),
		formatNumber(count, "request"),
	];
	const figures = [
		["Requests a second", formatShort(sum(rates)), recent],
		["Requests", formatCount(requests), periodName],
		toErrors("Client errors, 4xx", clientErrors),
		toErrors("Server errors, 5xx", serverErrors),
		[
			"Duration, p99",
			formatMs(busiest?.p99Ms),
			`${busiest?.operation}; half take at most ${formatMs(busiest?.p50Ms)}`,
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
					resting={{ label: recent, values: rates }}
					kind="bars"
					series={toClassSeries(
						parts.map(({ rows, seconds }) =>
							countByClass(rows).map((count) => count / seconds),
						),
					)}
					format={(value = 0) => `${formatShort(value)}/s`}
				/>
				<Chart
					{...times}
					title={`Duration of ${operation} in ms`}
					kind="lines"
					series={[
						{ name: "p99", colour: "second", values: toTimes("p99Ms") },
						{ name: "p50", colour: "main", values: toTimes("p50Ms") },
					]}
					format={formatMs}
				/>
			</div>
		</>
	);
}

/** The whole period, and the time that the rates are the mean of. */
export const periodNames = {
	hour: { name: "in the last hour", recent: "mean of the last two minutes" },
	day: { name: "in the last day", recent: "mean of the period" },
	month: { name: "in the last 30 days", recent: "mean of the period" },
} as const;
