// The API keys with their calls, as a list; or the page of one key.
import type { Key } from "../api/keys.ts";
import { Figures } from "../charts/chart.tsx";
import { formatStart, sum, toStarts } from "../charts/periods.ts";
import { Shapes } from "../charts/shapes.tsx";
import { Button } from "../parts/fields.tsx";
import {
	formatCount,
	formatDate,
	formatNumber,
	toKeyLabel,
} from "../parts/format.ts";
import { Failed, usePolling, Waiting } from "../parts/poll.tsx";
import { Table, unseen } from "../parts/table.tsx";
import { KeyDialogs } from "./dialogs.tsx";
import { Expiry, KeyActions, LastUse } from "./facts.tsx";
import { KeyPage } from "./key.tsx";
import { callDays, type KeysState } from "./state.ts";

const refreshMs = 30_000;

interface KeysProps {
	readonly state: KeysState;
	/** The key whose page is shown; empty for the list. */
	readonly keyId: string;
}

export function KeysView({ state, keyId }: KeysProps) {
	usePolling(refreshMs, state.load, [state]);
	return (
		<>
			{keyId === "" ? (
				<AllKeys state={state} />
			) : (
				<KeyPage key={keyId} id={keyId} state={state} />
			)}
			<KeyDialogs state={state} />
		</>
	);
}

function AllKeys({ state }: { state: KeysState }) {
	return (
		<>
			<div class="head">
				<h1 tabIndex={-1}>Keys</h1>
				<Button onClick={() => state.open({ kind: "make" })}>Make a key</Button>
			</div>
			<Failed message={state.failure.value} />
			<KeyList state={state} />
		</>
	);
}

function KeyList({ state }: { state: KeysState }) {
	const all = state.all.value;
	if (all === undefined) return <Waiting for={state.failure.value} />;
	const valid = all.filter(isValid).toReversed();
	const ended = all.filter((key) => !isValid(key)).toReversed();
	const toTable = (keys: readonly Key[]) => (
		<Table class="keys" headings={headings}>
			{keys.map((key) => (
				<KeyRow key={key.id} apiKey={key} state={state} />
			))}
		</Table>
	);
	return (
		<>
			{valid.length === 0 ? (
				<div class="empty">
					<h2>No stored keys</h2>
					<p>
						Programs need a key to call the service. Make one for each program.
					</p>
				</div>
			) : (
				toTable(valid)
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
	...["Key", "Scope", "Expiry", "Last use", "Calls by day"],
	unseen("Actions"),
];

interface RowProps {
	readonly apiKey: Key;
	readonly state: KeysState;
}

function KeyRow({ apiKey: key, state }: RowProps) {
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
				<span class="badge" data-scope={key.scope}>
					{key.scope}
				</span>
			</td>
			<td>
				<Expiry {...key} />
			</td>
			<td>
				<LastUse {...key} />
			</td>
			<td>
				<Calls apiKey={key} state={state} />
			</td>
			<td class="actions">
				<KeyActions {...{ state, apiKey: key }} class="plain" />
			</td>
		</tr>
	);
}

function Calls({ apiKey: key, state: { calls } }: RowProps) {
	const { byKey, top = 1 } = calls.value ?? {};
	const own = byKey?.get(String(key.id)) ?? [];
	const starts = toStarts(callDays, Date.now());
	const values = starts.map(
		(start) => own.find((row) => row.start === start)?.requests ?? 0,
	);
	const count = sum(values);
	if (count === 0)
		return <span class="soft">no calls in {callDays.parts} days</span>;
	const total = `${formatNumber(count, "call")} in ${callDays.parts} days`;
	const series = [{ name: "Calls", colour: "main", values }] as const;
	return (
		<div class="calls">
			<svg
				viewBox={`0 0 ${starts.length} 100`}
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
				title={`Calls of ${toKeyLabel(key)} by day`}
				summary={total}
				labels={starts.map((start) => formatStart(start, callDays))}
				labelName={callDays.partName}
				series={series}
				format={(value = 0) => formatCount(value)}
			/>
		</div>
	);
}
