// The traffic by operation, by status and by key, and the callers of the deprecated operation.
import { errorCodes, errorStatus } from "../../../domain/errors.ts";
import { toQuantity } from "../../../domain/quantity.ts";
import type { Key } from "../api/keys.ts";
import type { UsageRow } from "../api/usage.ts";
import { formatStart, periods, rank, sum } from "../charts/periods.ts";
import { countByClass, toStatusClass } from "../charts/statuses.ts";
import { Button } from "../parts/fields.tsx";
import {
	formatCount,
	formatDate,
	formatMs,
	formatPercent,
	formatShort,
	isolate,
} from "../parts/format.ts";
import { number, Table, unseen } from "../parts/table.tsx";
import type { ConsoleParts } from "../state.ts";
import type { Callers, Figures, TrafficState } from "./state.ts";

interface OperationProps extends Figures {
	/** The one whose durations are shown. */
	readonly operation: string;
	readonly chosen: TrafficState["operation"];
}

export function OperationTable(props: OperationProps) {
	const { byOperation, byStatus, chosen } = props;
	const statuses = Map.groupBy(byStatus, ({ operation }) => operation);
	return (
		<section class="table">
			<h2>By operation</h2>
			<Table headings={operationHeadings}>
				{byOperation.map(({ operation, requests, p50Ms, p99Ms }) => (
					<tr key={operation}>
						<th scope="row">
							<Button
								class="link"
								aria-current={operation === props.operation}
								title="Show its durations"
								onClick={() => {
									chosen.value = operation;
								}}
							>
								{operation}
							</Button>
						</th>
						<td class="number">{formatCount(requests)}</td>
						{countByClass(statuses.get(operation) ?? [])
							.slice(1)
							.map((errors, index) => (
								<td key={index} class="number">
									{formatPercent(errors, requests)}
								</td>
							))}
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
	...["Requests", "4xx", "5xx", "p50", "p99"].map(number),
];

/** The statuses of the replies, with the codes of the errors. Takes rows by operation and status. */
export function StatusTable({ rows }: { rows: readonly UsageRow[] }) {
	const byStatus = rank(rows, ({ status = 0 }) => status);
	const all = sum(byStatus.map(({ requests }) => requests));
	return (
		<section class="table">
			<h2>By status</h2>
			<Table headings={statusHeadings}>
				{byStatus
					.toSorted((one, other) => one.name - other.name)
					.map(({ name: status, rows, requests }) => (
						<tr key={status}>
							<th scope="row" data-colour={toStatusClass(status)?.colour}>
								{status} <code>{toCodes(status)}</code>
							</th>
							<td>{toOperations(rows)}</td>
							<td class="number">{formatCount(requests)}</td>
							<td class="number">{formatPercent(requests, all)}</td>
						</tr>
					))}
			</Table>
		</section>
	);
}

const statusHeadings = [
	"Status",
	"Operation",
	...["Requests", "Share"].map(number),
];

function toCodes(status: number): string {
	return errorCodes.filter((code) => errorStatus[code] === status).join(", ");
}

/** The operation with the most requests, and the number of others. */
function toOperations(rows: readonly UsageRow[]): string {
	const [first, ...others] = rank(rows, ({ operation }) => operation);
	const more = others.length === 0 ? "" : ` and ${others.length} more`;
	return `${first?.name}${more}`;
}

interface KeyProps {
	readonly rows: readonly UsageRow[];
	readonly keys: readonly Key[];
}

export function KeyTable({ rows, keys }: KeyProps) {
	const byKey = rank(rows, ({ key }) => key);
	return (
		<section class="table">
			<h2>By key</h2>
			<Table headings={keyHeadings}>
				{byKey.map(({ name: id, requests, errors }) => (
					<tr key={id}>
						<th scope="row">
							<KeyLink id={id} keys={keys} />
						</th>
						<td class="number">{formatCount(requests)}</td>
						<td class="number">{formatPercent(errors, requests)}</td>
						<td>
							<progress
								aria-label={`Requests of ${toKeyName(id, keys)}`}
								max={byKey[0]?.requests}
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
	"Key",
	...["Requests", "Errors"].map(number),
	unseen("Share", "share"),
];

/** Leads to the page of the key, if it is a stored one. */
function KeyLink(props: { id: string | undefined; keys: readonly Key[] }) {
	const { id, keys } = props;
	const name = toKeyName(id, keys);
	const isStored = keys.some((key) => String(key.id) === id);
	return isStored ? <a href={`#keys/${id}`}>{name}</a> : name;
}

/** The name of a key, with its id if another key has the same name. */
function toKeyName(key: string | undefined, keys: readonly Key[]): string {
	if (key === undefined) return "without a valid key";
	const name = keys.find(({ id }) => String(id) === key)?.name;
	if (name === undefined) return key;
	const isShared = keys.filter((other) => other.name === name).length > 1;
	return isShared ? `${isolate(name)} #${key}` : name;
}

type DeprecatedProps = ConsoleParts["deprecation"] & { callers: Callers };

export function Deprecated(props: DeprecatedProps) {
	const { operation, sunset } = props;
	const { month, day, keys, now } = props.callers;
	const today = new Map(
		day
			.filter((row) => row.operation === operation)
			.map(({ key, requests }) => [key, requests]),
	);
	const callers = toCallers(month, operation, now);
	return (
		<section class="table deprecated">
			<h2>Who still calls {operation}</h2>
			<p>
				The operation is deprecated and ends on {formatDate(sunset)}:{" "}
				<b>{toQuantity(toDaysLeft(sunset, now), "day")} left</b>.
			</p>
			{callers.length === 0 ? (
				<p class="soft">No calls in the last 30 days.</p>
			) : (
				<Table headings={callerHeadings}>
					{callers.map(({ key, requests, requestsPerDay, first, last }) => (
						<tr key={key}>
							<th scope="row">
								<KeyLink id={key} keys={keys} />
							</th>
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

const callerHeadings = [
	"Key",
	"First (UTC)",
	"Last (UTC)",
	...["Last 24 hours", "Last 30 days", "A day"].map(number),
];

export function toDaysLeft(sunset: number, now: number): number {
	return Math.max(0, Math.ceil((sunset - now) / periods.month.partMs));
}

/** Takes rows by operation, key and day. The caller with the most requests is first. */
export function toCallers(
	rows: readonly UsageRow[],
	operation: string,
	now: number,
) {
	const own = rows.filter((row) => row.operation === operation);
	return rank(own, ({ key }) => key).map(({ name, rows, requests }) => {
		const starts = rows.map(({ start = now }) => start);
		const first = Math.min(...starts);
		const last = Math.max(...starts);
		// The mean since the first day, like `petstore usage --deprecated`.
		const length = Math.max(1, (now - first) / periods.month.partMs);
		const requestsPerDay = requests / length;
		return { key: name, requests, requestsPerDay, first, last };
	});
}
