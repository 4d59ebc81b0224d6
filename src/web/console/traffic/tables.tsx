// The traffic by operation and by key.
import type { Key } from "../api/keys.ts";
import type { UsageRow } from "../api/usage.ts";
import { sum } from "../charts/periods.ts";
import { Button } from "../parts/fields.tsx";
import { formatCount, formatMs, formatPercent } from "../parts/format.ts";
import { number, Table } from "../parts/table.tsx";
import { type TrafficState, toKeyName } from "./state.ts";

export function OperationTable({
	rows,
	chosen,
	state,
}: {
	rows: readonly UsageRow[];
	chosen: string;
	state: TrafficState;
}) {
	if (rows.length === 0) return null;
	return (
		<section class="table">
			<h2>By operation</h2>
			<Table headings={operationHeadings}>
				{rows.map(({ operation, requests, errors, p50Ms, p99Ms }) => (
					<tr key={operation} class={operation === chosen ? "chosen" : ""}>
						<th scope="row">
							<Button
								class="link"
								aria-current={operation === chosen}
								title="Show its durations"
								onClick={() => {
									state.operation.value = operation;
								}}
							>
								{operation}
							</Button>
						</th>
						<td class="number">{formatCount(requests)}</td>
						<td class="number">{formatPercent(errors, requests)}</td>
						<td class="number">{formatMs(p50Ms)}</td>
						<td class="number">{formatMs(p99Ms)}</td>
					</tr>
				))}
			</Table>
		</section>
	);
}

const operationHeadings = [
	"Operation",
	...["Requests", "Errors", "p50", "p99"].map(number),
];

export function KeyTable({
	rows,
	keys,
}: {
	rows: readonly UsageRow[];
	keys: readonly Key[];
}) {
	if (rows.length === 0) return null;
	const sums = toSums(rows);
	const most = sums[0]?.requests ?? 1;
	return (
		<section class="table">
			<h2>By key</h2>
			<Table headings={keyHeadings}>
				{sums.map(({ key, requests, errors }) => (
					<tr key={key ?? ""}>
						<th scope="row">{toKeyName(key, keys)}</th>
						<td class="number">{formatCount(requests)}</td>
						<td class="number">{formatPercent(errors, requests)}</td>
						<td class="share">
							<progress
								aria-label={`Requests of ${toKeyName(key, keys)}`}
								max={most}
								value={requests}
							/>
						</td>
					</tr>
				))}
			</Table>
		</section>
	);
}

const keyHeadings = [
	...["Key", number("Requests"), number("Errors")],
	{ text: "Share", kind: "share" } as const,
];

/** By key, the one with the most requests first. */
function toSums(
	rows: readonly UsageRow[],
): readonly Pick<UsageRow, "key" | "requests" | "errors">[] {
	return [...Map.groupBy(rows, ({ key }) => key)]
		.map(([key, own]) => ({
			key,
			requests: sum(own.map(({ requests }) => requests)),
			errors: sum(own.map(({ errors }) => errors)),
		}))
		.toSorted((a, b) => b.requests - a.requests);
}
