// Requests over time as bars: a table that the style draws, so that screen readers read its figures. Pointing at a bar shows them.
import { toCountText, toQuantity } from "../../domain/quantity.ts";
import type { StatusJson } from "../../operator/status.ts";
import { formatMs, formatTimeOfDay } from "../ui/format.tsx";

interface BarsProps {
	readonly title: string;
	/** What a bar is, like “a minute”. */
	readonly unit: string;
	readonly counts: NonNullable<StatusJson["requests"]>["lastHour"];
}

export function Bars({ title, unit, counts }: BarsProps) {
	const total = counts.reduce((sum, { total }) => sum + total, 0n);
	const failed = counts.reduce((sum, { failed }) => sum + failed, 0n);
	const top = Math.max(...counts.map(({ total }) => Number(total)));
	return (
		<table class="bars">
			<caption>
				<b>{title}</b> {toQuantity(total, "request")}, {toCountText(failed)}{" "}
				failed, up to {toCountText(top)} {unit}
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
				{counts.map(({ at, total, failed, p99Ms }) => {
					const time = formatTimeOfDay(at);
					const p99 = formatMs(p99Ms);
					const text = `${time}: ${toQuantity(total, "request")}, ${toCountText(failed)} failed, 99 % within ${p99}`;
					return (
						<tr key={at} title={text}>
							<th scope="row">{time}</th>
							<td style={toHeight(total - failed, top)}>
								<span>{toCountText(total)}</span>
							</td>
							<td style={toHeight(failed, top)}>
								<span>{toCountText(failed)}</span>
							</td>
							<td>
								<span>{p99}</span>
							</td>
						</tr>
					);
				})}
			</tbody>
		</table>
	);
}

/** One request among thousands is visible too. */
function toHeight(count: bigint, top: number) {
	return { "--part": count === 0n ? 0 : Math.max(Number(count) / top, 0.02) };
}
