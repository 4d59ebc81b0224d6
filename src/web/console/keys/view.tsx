// The API keys with their calls, as a list; or the page of one key.
import { toQuantity } from "../../../domain/quantity.ts";
import type { Key } from "../api/keys.ts";
import type { UsageRow } from "../api/usage.ts";
import { Figures } from "../charts/chart.tsx";
import { sum, toParts } from "../charts/periods.ts";
import { Shapes, toScale } from "../charts/shapes.tsx";
import { Button } from "../parts/fields.tsx";
import { formatCount, formatDate, toKeyLabel } from "../parts/format.ts";
import { Failed, usePolling, Waiting } from "../parts/poll.tsx";
import { Table, unseen } from "../parts/table.tsx";
import type { ConsoleParts } from "../state.ts";
import { KeyDialogs } from "./dialogs.tsx";
import { Expiry, KeyActions, KeyPage, LastUse, Scope } from "./key.tsx";
import { callDays, type KeysState } from "./state.ts";

const refreshMs = 30_000;

export function KeysView({ keys: state, detail }: ConsoleParts) {
	const keyId = detail.value;
	usePolling(refreshMs, state.load, [state]);
	return (
		<>
			{keyId === "" ? (
				<KeyList state={state} />
			) : (
				<KeyPage key={keyId} id={keyId} state={state} />
			)}
			<KeyDialogs state={state} />
		</>
	);
}

function KeyList({ state }: { state: KeysState }) {
	const all = state.all.value;
	const valid = all?.filter(isValid) ?? [];
	const ended = all?.filter((key) => !isValid(key)) ?? [];
	const byKey = Map.groupBy(state.calls.value, ({ key }) => key);
	const callsOf = ({ id }: Key) => byKey.get(String(id)) ?? [];
	const days = all?.flatMap(callsOf) ?? [];
	const { top } = toScale(days.map(({ requests }) => requests));
	const toTable = (keys: readonly Key[]) => (
		<Table class="keys" headings={headings}>
			{keys.toReversed().map((key) => (
				<KeyRow
					key={key.id}
					apiKey={key}
					calls={callsOf(key)}
					state={state}
					top={top}
				/>
			))}
		</Table>
	);
	return (
		<>
			<div class="head">
				<h1 tabIndex={-1}>Keys</h1>
				<Button onClick={() => state.open({ kind: "make" })}>Make a key</Button>
			</div>
			<Failed message={state.failure.value} />
			<Waiting for={all ?? state.failure.value} />
			{valid.length > 0 && toTable(valid)}
			{all && valid.length === 0 && (
				<div class="empty">
					<h2>No stored keys</h2>
					<p>
						Programs need a key to call the service. Make one for each program.
					</p>
				</div>
			)}
			{ended.length > 0 && (
				<details class="ended">
					<summary>Revoked and expired keys ({ended.length})</summary>
					{toTable(ended)}
				</details>
			)}
		</>
	);
}

function isValid({ revokedAt, expiresAt = Infinity }: Key): boolean {
	return revokedAt === undefined && expiresAt > Date.now();
}

const headings = [
	"Key",
	"Scope",
	"Expiry",
	"Last use",
	"Calls by day",
	unseen("Actions"),
];

interface CallsProps {
	readonly apiKey: Key;
	readonly calls: readonly UsageRow[];
	/** The value at the upper edge. All keys have the same, so that users can compare their charts. */
	readonly top: number;
}

function KeyRow(props: CallsProps & { state: KeysState }) {
	const { apiKey: key, state } = props;
	return (
		<tr>
			<th scope="row" class="name">
				<a href={`#keys/${key.id}`}>
					<bdi>{key.name}</bdi>
				</a>
				<span class="detail">
					#{key.id} <code>{key.prefix}…</code> made {formatDate(key.createdAt)}
				</span>
			</th>
			<td>
				<Scope {...key} />
			</td>
			<td>
				<Expiry {...key} />
			</td>
			<td>
				<LastUse {...key} />
			</td>
			<td>
				<Calls {...props} />
			</td>
			<td class="actions">
				<KeyActions state={state} apiKey={key} class="plain" />
			</td>
		</tr>
	);
}

function Calls({ apiKey: key, calls, top }: CallsProps) {
	const now = Date.now();
	const values = toParts(calls, callDays, now).map(
		({ rows: [row] }) => row?.requests ?? 0,
	);
	const count = sum(values);
	if (count === 0)
		return <span class="soft">no calls in {callDays.parts} days</span>;
	const total = `${toQuantity(count, "call")} in ${callDays.parts} days`;
	const series = [{ name: "Calls", colour: "main", values }] as const;
	return (
		<div class="calls">
			<svg
				viewBox={`0 0 ${values.length} 100`}
				preserveAspectRatio="none"
				role="img"
				aria-label={`${toKeyLabel(key)}: ${total}`}
			>
				<Shapes kind="bars" series={series} top={top} />
			</svg>
			<div class="ticks" aria-hidden="true">
				<span>{formatCount(top)}</span>
				<span>0</span>
			</div>
			<Figures
				series={series}
				now={now}
				period={callDays}
				summary={total}
				title={`Calls of ${toKeyLabel(key)} by day`}
				format={(value = 0) => formatCount(value)}
			/>
		</div>
	);
}
