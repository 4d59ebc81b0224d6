// One key: its page, with its calls of the last 30 days; and the facts and buttons that the list of the keys has too.
import type { Key } from "../api/keys.ts";
import { Chart } from "../charts/chart.tsx";
import { periods, toParts } from "../charts/periods.ts";
import { countByClass, toClassSeries } from "../charts/statuses.ts";
import { Button } from "../parts/fields.tsx";
import {
	formatCount,
	formatDate,
	formatRelative,
	formatTime,
	toKeyLabel,
} from "../parts/format.ts";
import { Failed, usePolled, Waiting } from "../parts/poll.tsx";
import { StatusTable } from "../traffic/tables.tsx";
import type { KeysState } from "./state.ts";

interface PageProps {
	readonly id: string;
	readonly state: KeysState;
}

export function KeyPage({ id, state }: PageProps) {
	const all = state.all.value;
	const key = all?.find((one) => String(one.id) === id);
	return (
		<>
			<a class="back" href="#keys">
				All keys
			</a>
			<div class="head">
				<h1 tabIndex={-1}>
					<bdi>{key?.name ?? `Key ${id}`}</bdi>
				</h1>
				{key && <KeyActions state={state} apiKey={key} class="minor" />}
			</div>
			<Failed message={state.failure.value} />
			{key && <KeyFacts {...key} />}
			{all && !key && <p class="soft">This key does not exist.</p>}
			<Waiting for={all ?? state.failure.value} />
			<Calls id={id} state={state} />
		</>
	);
}

function KeyFacts(key: Key) {
	const facts = {
		Scope: <Scope {...key} />,
		Secret: <code>{key.prefix}…</code>,
		Made: formatTime(key.createdAt),
		Expiry: <Expiry {...key} />,
		"Last use": <LastUse {...key} />,
	};
	return (
		<dl class="key-facts">
			{Object.entries(facts).map(([title, fact]) => (
				<div key={title}>
					<dt>{title}</dt>
					<dd>{fact}</dd>
				</div>
			))}
		</dl>
	);
}

/** Usage outlives its key, so the page of a deleted key has it too. */
function Calls({ id, state }: PageProps) {
	const period = periods.month;
	const { found, failure } = usePolled(
		30_000,
		async (ending) => {
			const by = ["operation", "key", "status", "day"] as const;
			const rows = await state.readUsage(period, by, ending);
			return { now: Date.now(), rows: rows.filter(({ key }) => key === id) };
		},
		[id],
	);
	if (found.value === undefined)
		return (
			<>
				<Failed message={failure.value} />
				<Waiting for={failure.value} />
			</>
		);
	const { now, rows } = found.value;
	if (rows.length === 0)
		return (
			<div class="empty">
				<h2>No calls in the last 30 days</h2>
				<p>
					When a program uses the key, you see here its calls by day and the
					status codes of the replies.
				</p>
			</div>
		);
	return (
		<>
			<Failed message={failure.value} />
			<Chart
				period={period}
				now={now}
				title="Calls by day"
				kind="bars"
				resting={{ label: "in 30 days", values: countByClass(rows) }}
				series={toClassSeries(
					toParts(rows, period, now).map((part) => countByClass(part.rows)),
				)}
				format={(value = 0) => formatCount(value)}
			/>
			<StatusTable rows={rows} />
		</>
	);
}

export function Scope({ scope }: Key) {
	return (
		<span class="badge" data-scope={scope}>
			{scope}
		</span>
	);
}

export function Expiry({ expiresAt, revokedAt }: Key) {
	if (revokedAt !== undefined) return <>revoked {formatDate(revokedAt)}</>;
	if (expiresAt === undefined) return <span class="soft">no expiry</span>;
	const isOver = expiresAt <= Date.now();
	return <Moment before={isOver ? "expired" : "expires"} time={expiresAt} />;
}

export function LastUse({ lastUsedAt }: Key) {
	if (lastUsedAt === undefined) return <span class="soft">never used</span>;
	// The service records it at most once a minute.
	return <Moment before="used" time={lastUsedAt} />;
}

function Moment({ before, time }: { before: string; time: number }) {
	return (
		<time dateTime={new Date(time).toISOString()} title={formatTime(time)}>
			{before} {formatRelative(time)}
		</time>
	);
}

interface ActionsProps {
	readonly apiKey: Key;
	readonly state: KeysState;
	readonly class: string;
}

export function KeyActions({ apiKey: key, state, ...props }: ActionsProps) {
	if (key.revokedAt !== undefined) return null;
	return actions.map(({ kind, text }) => (
		<Button
			{...props}
			key={kind}
			aria-label={`${text} ${toKeyLabel(key)}`}
			onClick={() => state.open({ kind, key })}
		>
			{text}
		</Button>
	));
}

const actions = [
	{ kind: "rename", text: "Rename" },
	{ kind: "revoke", text: "Revoke" },
] as const;
