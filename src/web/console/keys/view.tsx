// The API keys, as a list.
import type { Key } from "../api/keys.ts";
import { Button } from "../parts/fields.tsx";
import {
	formatDate,
	formatRelative,
	formatTime,
	toKeyLabel,
} from "../parts/format.ts";
import { Failed, usePolling, Waiting } from "../parts/poll.tsx";
import { Table, unseen } from "../parts/table.tsx";
import type { ConsoleParts } from "../state.ts";
import { KeyDialogs } from "./dialogs.tsx";
import type { KeysState } from "./state.ts";

const refreshMs = 30_000;

export function KeysView({ keys: state }: ConsoleParts) {
	usePolling(refreshMs, state.load, [state]);
	const all = state.all.value;
	const valid = all?.filter(isValid) ?? [];
	const ended = all?.filter((key) => !isValid(key)) ?? [];
	return (
		<>
			<div class="head">
				<h1 tabIndex={-1}>Keys</h1>
				<Button onClick={() => state.open({ kind: "make" })}>Make a key</Button>
			</div>
			<Failed message={state.failure.value} />
			<Waiting for={all ?? state.failure.value} />
			{valid.length > 0 && <KeyTable keys={valid} state={state} />}
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
					<KeyTable keys={ended} state={state} />
				</details>
			)}
			<KeyDialogs state={state} />
		</>
	);
}

function isValid({ revokedAt, expiresAt = Infinity }: Key): boolean {
	return revokedAt === undefined && expiresAt > Date.now();
}

interface TableProps {
	readonly keys: readonly Key[];
	readonly state: KeysState;
}

/** Newest first. */
function KeyTable({ keys, state }: TableProps) {
	return (
		<Table
			class="keys"
			headings={["Key", "Scope", "Expiry", "Last use", unseen("Actions")]}
		>
			{keys.toReversed().map((key) => (
				<KeyRow key={key.id} apiKey={key} state={state} />
			))}
		</Table>
	);
}

function KeyRow({ apiKey: key, state }: { apiKey: Key; state: KeysState }) {
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
				<LastUse {...key} />
			</td>
			<td class="actions">
				{key.revokedAt === undefined &&
					actions.map(({ kind, text }) => (
						<Button
							class="plain"
							key={kind}
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

const actions = [
	{ kind: "change", text: "Change" },
	{ kind: "revoke", text: "Revoke" },
] as const;

function Expiry({ expiresAt, revokedAt }: Key) {
	if (revokedAt !== undefined) return <>revoked {formatDate(revokedAt)}</>;
	if (expiresAt === undefined) return <span class="soft">no expiry</span>;
	const isOver = expiresAt <= Date.now();
	return <Moment before={isOver ? "expired" : "expires"} time={expiresAt} />;
}

/** The service records both at most once a minute. */
function LastUse({ lastUsedAt, deprecatedUseAt }: Key) {
	if (lastUsedAt === undefined) return <span class="soft">never used</span>;
	return (
		<>
			<Moment before="used" time={lastUsedAt} />
			{deprecatedUseAt !== undefined && (
				<span class="deprecated">
					<Moment
						before="called a deprecated operation"
						time={deprecatedUseAt}
					/>
				</span>
			)}
		</>
	);
}

function Moment({ before, time }: { before: string; time: number }) {
	return (
		<time dateTime={new Date(time).toISOString()} title={formatTime(time)}>
			{before} {formatRelative(time)}
		</time>
	);
}
