// Who still calls the deprecated operation, and how long it will be there.
import { formatStart, periods } from "../charts/periods.ts";
import { formatCount, formatDate, formatShort } from "../parts/format.ts";
import { toCallers } from "./callers.ts";
import { type Traffic, toKeyName } from "./state.ts";

export interface Deprecation {
	readonly operation: string;
	/** When the operation may go away. */
	readonly sunset: number;
}

export function Deprecated({
	deprecation: { operation, sunset },
	traffic: { month, day, keys, now },
}: {
	deprecation: Deprecation;
	traffic: Traffic;
}) {
	const callers = toCallers(month, operation, now);
	const today = new Map(
		day
			.filter((row) => row.operation === operation)
			.map(({ key, requests }) => [key, requests]),
	);
	return (
		<section class="table deprecated">
			<h2>Who still calls {operation}</h2>
			<p>
				The operation is deprecated and ends on {formatDate(sunset)}:{" "}
				<b>{formatCount(toDaysLeft(sunset, now))} days left</b>.
			</p>
			{callers.length === 0 ? (
				<p class="soft">Nobody has called it in the last 30 days.</p>
			) : (
				<table>
					<thead>
						<tr>
							<th scope="col">Key</th>
							<th scope="col">First (UTC)</th>
							<th scope="col">Last (UTC)</th>
							<th scope="col" class="number">
								Last 24 hours
							</th>
							<th scope="col" class="number">
								Last 30 days
							</th>
							<th scope="col" class="number">
								A day
							</th>
						</tr>
					</thead>
					<tbody>
						{callers.map(({ key, requests, requestsPerDay, first, last }) => (
							<tr key={key}>
								<th scope="row">{toKeyName(key, keys)}</th>
								<td>{formatStart(first, periods.month)}</td>
								<td>{formatStart(last, periods.month)}</td>
								<td class="number">{formatCount(today.get(key) ?? 0)}</td>
								<td class="number">{formatCount(requests)}</td>
								<td class="number">{formatShort(requestsPerDay)}</td>
							</tr>
						))}
					</tbody>
				</table>
			)}
		</section>
	);
}

/** Whole days until the sunset; 0 after it. */
export function toDaysLeft(sunset: number, now: number): number {
	return Math.max(0, Math.ceil((sunset - now) / 86_400_000));
}
