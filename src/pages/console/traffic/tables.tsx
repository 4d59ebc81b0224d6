// The traffic by operation and by key.
import type { ComponentChildren } from "preact";
import type { Key } from "../api/keys.ts";
import type { UsageRow } from "../api/usage.ts";
import { sum } from "../charts/periods.ts";
import { formatCount, formatMs, formatPercent } from "../parts/format.ts";
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
		<Table
			title="By operation"
			headings={[
				{ text: "Operation" },
				{ text: "Requests", kind: "number" },
				{ text: "Errors", kind: "number" },
				{ text: "p50", kind: "number" },
				{ text: "p99", kind: "number" },
			]}
		>
			{rows.map(({ operation, requests, errors, p50Ms, p99Ms }) => (
				<tr key={operation} class={operation === chosen ? "chosen" : ""}>
					<th scope="row">
						<button
							type="button"
							class="link"
							aria-current={operation === chosen}
							title="Show its durations"
							onClick={() => {
								state.operation.value = operation;
							}}
						>
							{operation}
						</button>
					</th>
					<td class="number">{formatCount(requests)}</td>
					<td class="number">{formatPercent(errors, requests)}</td>
					<td class="number">{formatMs(p50Ms)}</td>
					<td class="number">{formatMs(p99Ms)}</td>
				</tr>
			))}
		</Table>
	);
}

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
		<Table
			title="By key"
			headings={[
				{ text: "Key" },
				{ text: "Requests", kind: "number" },
				{ text: "Errors", kind: "number" },
				{ text: "Share", kind: "share" },
			]}
		>
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
	);
}

interface Heading {
	readonly text: string;
	readonly kind?: "number" | "share";
}

function Table({
	title,
	headings,
	children,
}: {
	title: string;
	headings: readonly Heading[];
	children: ComponentChildren;
}) {
	return (
		<section class="table">
			<h2>{title}</h2>
			<table>
				<thead>
					<tr>
						{headings.map(({ text, kind }) => (
							<th key={text} scope="col" class={kind}>
								{kind === "share" ? <span class="unseen">{text}</span> : text}
							</th>
						))}
					</tr>
				</thead>
				<tbody>{children}</tbody>
			</table>
		</section>
	);
}

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
