// The headline figures, and the charts: requests a second by class of status, and the durations of one operation.
import { toQuantity } from "../../../domain/quantity.ts";
import { Chart } from "../charts/chart.tsx";
import { periods, sum, toParts } from "../charts/periods.ts";
import { countByClass, toClassSeries } from "../charts/statuses.ts";
import {
	formatCount,
	formatMs,
	formatPercent,
	formatShort,
} from "../parts/format.ts";
import type { Figures } from "./state.ts";

export function Headline(props: Figures & { operation: string }) {
	const { period, now, byTime, byStatus, byOperation, operation } = props;
	const parts = toParts(byStatus, period, now);
	const own = byTime.filter((row) => row.operation === operation);
	const toTimes = (of: "p50Ms" | "p99Ms") =>
		toParts(own, period, now).map(({ rows: [row] }) => row?.[of]);
	const [busiest] = byOperation;
	const counts = countByClass(byStatus);
	const requests = sum(counts);
	const toErrors = (title: string, count = 0) => [
		title,
		formatPercent(count, requests),
		toQuantity(count, "request"),
	];
	// The last minute may have just begun, so the one before counts too.
	const isHour = period === periods.hour;
	const recent = `mean of the ${isHour ? "last two minutes" : "period"}`;
	const counted = isHour ? parts.slice(-2) : parts;
	const seconds = sum(counted.map((part) => part.seconds));
	const rates = countByClass(counted.flatMap(({ rows }) => rows)).map(
		(count) => count / seconds,
	);
	const figures = [
		["Requests a second", formatShort(sum(rates)), recent],
		["Requests", formatCount(requests), `in the ${period.title.toLowerCase()}`],
		toErrors("Client errors, 4xx", counts[1]),
		toErrors("Server errors, 5xx", counts[2]),
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
					period={period}
					now={now}
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
					period={period}
					now={now}
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
