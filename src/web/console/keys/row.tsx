// One key of the list, with its calls by day as small bars.
import { canForget } from "../../../domain/key-scope.ts";
import type { Key } from "../api/keys.ts";
import { Figures } from "../charts/figures.tsx";
import { formatStart, sum, toStarts } from "../charts/periods.ts";
import { Bars } from "../charts/shapes.tsx";
import { Button } from "../parts/fields.tsx";
import {
	formatCount,
	formatDate,
	formatRelative,
	formatTime,
} from "../parts/format.ts";
import { toKeyLabel } from "../parts/labels.ts";
import { callDays, type KeysState } from "./state.ts";

export function KeyRow({
	apiKey,
	state,
	top,
}: {
	apiKey: Key;
	state: KeysState;
	/** The value at the upper edge of all charts. */
	top: number;
}) {
	const { id, name, prefix, scope, createdAt, lastUsedAt } = apiKey;
	const calls = state.calls.value.get(String(id)) ?? new Map();
	return (
		<tr>
			<th scope="row" class="name">
				<bdi>{name}</bdi>
				<span class="detail">
					#{id} <code>{prefix}…</code> made {formatDate(createdAt)}
				</span>
			</th>
			<td>
				<span class="badge" data-scope={scope}>
					{scope}
				</span>
			</td>
			<td>
				<Expiry apiKey={apiKey} />
			</td>
			<td>
				{lastUsedAt === undefined ? (
					<span class="soft">never used</span>
				) : (
					// The service records it at most once a minute.
					<Moment before="used" time={lastUsedAt} />
				)}
			</td>
			<td>
				<Calls label={toKeyLabel(apiKey)} calls={calls} top={top} />
			</td>
			<td class="actions">
				<KeyActions apiKey={apiKey} state={state} />
			</td>
		</tr>
	);
}

function Expiry({ apiKey: { expiresAt, revokedAt } }: { apiKey: Key }) {
	if (revokedAt !== undefined) return <>revoked {formatDate(revokedAt)}</>;
	if (expiresAt === undefined) return <span class="soft">no expiry</span>;
	const isValid = expiresAt > Date.now();
	return <Moment before={isValid ? "expires" : "expired"} time={expiresAt} />;
}

function Moment({ before, time }: { before: string; time: number }) {
	return (
		<time dateTime={new Date(time).toISOString()} title={formatTime(time)}>
			{before} {formatRelative(time)}
		</time>
	);
}

function KeyActions({ apiKey: key, state }: { apiKey: Key; state: KeysState }) {
	return (
		<>
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
		</>
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

function Calls({
	label,
	calls,
	top,
}: {
	label: string;
	/** By the start of the day. */
	calls: ReadonlyMap<number, number>;
	/** The value at the upper edge. It is the same for all keys, so that their charts can be compared. */
	top: number;
}) {
	const starts = toStarts(callDays, Date.now());
	const values = starts.map((start) => calls.get(start) ?? 0);
	if (sum(values) === 0)
		return <span class="soft">no calls in {callDays.parts} days</span>;
	const count = sum(values);
	const total = `${formatCount(count)} ${count === 1 ? "call" : "calls"} in ${callDays.parts} days`;
	const series = [{ name: "Calls", colour: "main", values }] as const;
	return (
		<div class="calls">
			<svg
				viewBox={`0 0 ${starts.length} 100`}
				preserveAspectRatio="none"
				role="img"
				aria-label={`${label}: ${total}`}
			>
				<Bars series={series} top={top} />
			</svg>
			<div class="ticks" aria-hidden="true">
				<span>{formatCount(top)}</span>
				<span>0</span>
			</div>
			<Figures
				title={`Calls of ${label} by day`}
				summary={total}
				labels={starts.map((start) => formatStart(start, callDays))}
				labelName={callDays.partName}
				series={series}
				format={(value = 0) => formatCount(value)}
			/>
		</div>
	);
}
