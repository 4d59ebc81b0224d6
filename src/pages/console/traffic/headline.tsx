// The figures that one looks at first.
import type { UsageRow } from "../api/usage.ts";
import { periods, sum, toParts } from "../charts/periods.ts";
import {
	formatCount,
	formatMs,
	formatPercent,
	formatShort,
} from "../parts/format.ts";
import { toRates } from "./rates.ts";
import type { Traffic } from "./state.ts";

export function Headline({
	byTime,
	byOperation,
	traffic,
}: {
	byTime: readonly UsageRow[];
	/** The one with the most requests first. */
	byOperation: readonly UsageRow[];
	traffic: Traffic;
}) {
	const requests = sum(byOperation.map((row) => row.requests));
	const errors = sum(byOperation.map((row) => row.errors));
	const [busiest] = byOperation;
	const period = periods[traffic.period];
	const rates = toRates(toParts(byTime, period, traffic.now), period);
	return (
		<dl class="headline">
			<Figure
				title="Requests a second"
				value={formatShort(rates.requests)}
				detail={rates.name}
			/>
			<Figure
				title="Requests"
				value={formatCount(requests)}
				detail={periodNames[traffic.period]}
			/>
			<Figure
				title="Errors"
				value={formatPercent(errors, requests)}
				detail={`${formatCount(errors)} requests`}
			/>
			<Figure
				title="Duration, p99"
				value={formatMs(busiest?.p99Ms)}
				detail={
					busiest === undefined
						? "no requests"
						: `${busiest.operation}; half of them within ${formatMs(busiest.p50Ms)}`
				}
			/>
		</dl>
	);
}

const periodNames = {
	hour: "in the last hour",
	day: "in the last day",
	month: "in the last 30 days",
} as const;

function Figure({
	title,
	value,
	detail,
}: {
	title: string;
	value: string;
	detail: string;
}) {
	return (
		<div>
			<dt>{title}</dt>
			<dd>
				<span class="figure">{value}</span> <small>{detail}</small>
			</dd>
		</div>
	);
}
