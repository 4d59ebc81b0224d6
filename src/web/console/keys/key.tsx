// The page of one key: what it may do, until when, and its calls of the last 30 days.
import type { Key } from "../api/keys.ts";
import { Chart } from "../charts/chart.tsx";
import { formatStart, periods, toParts } from "../charts/periods.ts";
import { countByClass, toClassSeries } from "../charts/statuses.ts";
import { formatCount, formatTime } from "../parts/format.ts";
import { Failed, usePolled, Waiting } from "../parts/poll.tsx";
import { StatusTable } from "../traffic/tables.tsx";
import { Expiry, KeyActions, LastUse } from "./facts.tsx";
import type { KeysState } from "./state.ts";

const refreshMs = 30_000;

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
				{key && <KeyActions {...{ state, apiKey: key }} class="minor" />}
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
	const scope = (
		<span class="badge" data-scope={key.scope}>
			{key.scope}
		</span>
	);
	const facts = {
		Scope: scope,
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
	const { found, failure } = usePolled(
		refreshMs,
		(ending) => state.readTraffic(id, ending),
		[id],
	);
	const { now = 0, rows = [] } = found.value ?? {};
	const period = periods.month;
	const parts = toParts(rows, period, now);
	if (found.value !== undefined && rows.length === 0)
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
			{found.value && (
				<>
					<Chart
						title="Calls by day"
						kind="bars"
						labels={parts.map(({ start }) => formatStart(start, period))}
						labelName={period.partName}
						resting={{ label: "in 30 days", values: countByClass(rows) }}
						series={toClassSeries(parts.map((part) => countByClass(part.rows)))}
						format={(value = 0) => formatCount(value)}
					/>
					<StatusTable rows={rows} />
				</>
			)}
			<Waiting for={found.value ?? failure.value} />
		</>
	);
}
