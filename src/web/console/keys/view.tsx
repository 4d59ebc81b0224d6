// The API keys with their calls: make, rename, rotate, revoke and delete them.
import { canForget } from "../../../domain/key-scope.ts";
import type { Key } from "../api/keys.ts";
import { Figures } from "../charts/chart.tsx";
import { formatStart, sum, toStarts } from "../charts/periods.ts";
import { Shapes } from "../charts/shapes.tsx";
import { Button } from "../parts/fields.tsx";
import {
	formatCount,
	formatDate,
	formatNumber,
	formatRelative,
	formatTime,
	toKeyLabel,
} from "../parts/format.ts";
import { Failed, usePolling, Waiting } from "../parts/poll.tsx";
import { Table, unseen } from "../parts/table.tsx";
import { KeyDialogs } from "./dialogs.tsx";
import { callDays, type KeysState } from "./state.ts";

const refreshMs = 30_000;

export function KeysView({ state }: { state: KeysState }) {
	usePolling(refreshMs, state.load, [state]);
	return (
		<>
			<div class="head">
				<h1 tabIndex={-1}>Keys</h1>
				<Button onClick={() => state.open({ kind: "make" })}>Make a key</Button>
			</div>
			<Failed message={state.failure.value} />
			<KeyList state={state} />
			<KeyDialogs state={state} />
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
				<bdi>{key.name}</bdi>
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
				{key.lastUsedAt === undefined ? (
					<span class="soft">never used</span>
				) : (
					// The service records it at most once a minute.
					<Moment before="used" time={key.lastUsedAt} />
				)}
			</td>
			<td>
				<Calls apiKey={key} state={state} />
			</td>
			<td class="actions">
				{actionsFor(key).map(({ kind, text }) => (
					<Button
						key={kind}
						class="plain"
						aria-label={`${text} ${toKeyLabel(key)}`}
						onClick={() => state.open({ kind, key })}
					>
						{text}
					</Button>
				))}
			</td>
		</tr>
	);
}

function Expiry({ expiresAt, revokedAt }: Key) {
	if (revokedAt !== undefined) return <>revoked {formatDate(revokedAt)}</>;
	if (expiresAt === undefined) return <span class="soft">no expiry</span>;
	const isOver = expiresAt <= Date.now();
	return <Moment before={isOver ? "expired" : "expires"} time={expiresAt} />;
}

function Moment({ before, time }: { before: string; time: number }) {
	return (
		<time dateTime={new Date(time).toISOString()} title={formatTime(time)}>
			{before} {formatRelative(time)}
		</time>
	);
}

function actionsFor(key: Key) {
	if (key.revokedAt === undefined) return actions;
	return canForget(key, Date.now()) ? [forget] : [];
}

const actions = [
	{ kind: "rename", text: "Rename" },
	{ kind: "rotate", text: "Rotate" },
	{ kind: "revoke", text: "Revoke" },
] as const;

const forget = { kind: "forget", text: "Delete" } as const;

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
