// Who still calls the deprecated operation, and how long it will be there.
import type { UsageRow } from "../api/usage.ts";
import { formatStart, periods, sum } from "../charts/periods.ts";
import { formatCount, formatDate, formatShort } from "../parts/format.ts";
import { number, Table } from "../parts/table.tsx";
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
				<p class="soft">No calls in the last 30 days.</p>
			) : (
				<Table headings={headings}>
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
				</Table>
			)}
		</section>
	);
}

const headings = [
	...["Key", "First (UTC)", "Last (UTC)"],
	...["Last 24 hours", "Last 30 days", "A day"].map(number),
];

/** Whole days until the sunset; 0 after it. */
export function toDaysLeft(sunset: number, now: number): number {
	return Math.max(0, Math.ceil((sunset - now) / 86_400_000));
}

interface Caller {
	/** Undefined without a valid key. */
	readonly key: string | undefined;
	readonly requests: number;
	/** On average since the first day, as `petstore usage --deprecated` has it. */
	readonly requestsPerDay: number;
	/** The starts of the first and of the last day with a call, in UTC. */
	readonly first: number;
	readonly last: number;
}

/** Takes rows by operation, key and day. Those who call most come first. */
export function toCallers(
	rows: readonly UsageRow[],
	operation: string,
	now: number,
): readonly Caller[] {
	const own = rows.filter((row) => row.operation === operation);
	return [...Map.groupBy(own, ({ key }) => key)]
		.map(([key, days]) => toCaller(key, days, now))
		.toSorted((a, b) => b.requests - a.requests);
}

function toCaller(
	key: string | undefined,
	days: readonly UsageRow[],
	now: number,
): Caller {
	const starts = days.map(({ start = now }) => start);
	const first = Math.min(...starts);
	const requests = sum(days.map((day) => day.requests));
	const length = Math.max(1, (now - first) / periods.month.partMs);
	return {
		key,
		requests,
		requestsPerDay: requests / length,
		first,
		last: Math.max(...starts),
	};
}
