// The requests of the last hour and day as bars: a table that the style draws, so that screen readers read its figures.
import { toQuantity } from "../../../domain/quantity.ts";
import type { RequestCounts, Status } from "../api/status.ts";
import { formatCount, formatMs, formatTimeOfDay } from "../parts/format.ts";

export function Requests({ requests }: Status) {
	return (
		<section class="requests">
			<h2>Requests</h2>
			<p class="soft">
				Counted in memory by the process that answered this page, since its
				start.
			</p>
			<div class="charts">
				<Bars title="Last hour" unit="a minute" counts={requests.lastHour} />
				<Bars title="Last 24 hours" unit="an hour" counts={requests.lastDay} />
			</div>
		</section>
	);
}

interface BarsProps {
	readonly title: string;
	readonly unit: string;
	readonly counts: RequestCounts;
}

function Bars({ title, unit, counts }: BarsProps) {
	const top = Math.max(...counts.map(({ total }) => total));
	const total = sum(counts.map((one) => one.total));
	const failed = sum(counts.map((one) => one.failed));
	return (
		<table class="bars">
			<caption>
				<b>{title}</b> {toQuantity(total, "request")}, {formatCount(failed)}{" "}
				failed, up to {formatCount(top)} {unit}
			</caption>
			<thead>
				<tr>
					<th scope="col">Time</th>
					<th scope="col">Requests</th>
					<th scope="col">Failed</th>
					<th scope="col">99th percentile</th>
				</tr>
			</thead>
			<tbody>
				{counts.map((one) => (
					<Bar key={one.at} top={top} {...one} />
				))}
			</tbody>
		</table>
	);
}

function sum(values: readonly number[]): number {
	return values.reduce((all, value) => all + value, 0);
}

function Bar(props: RequestCounts[number] & { top: number }) {
	const { at, total, failed, p99Ms, top } = props;
	const time = formatTimeOfDay(at);
	return (
		<tr
			title={`${time}: ${toQuantity(total, "request")}, ${formatCount(failed)} failed, 99 % within ${formatMs(p99Ms)}`}
		>
			<th scope="row">{time}</th>
			<td style={{ "--part": toPart(total - failed, top) }}>
				<span>{formatCount(total)}</span>
			</td>
			<td style={{ "--part": toPart(failed, top) }}>
				<span>{formatCount(failed)}</span>
			</td>
			<td>
				<span>{formatMs(p99Ms)}</span>
			</td>
		</tr>
	);
}

/** One request among thousands is visible too. */
function toPart(value: number, top: number): number {
	return value === 0 ? 0 : Math.max(value / top, 0.02);
}
