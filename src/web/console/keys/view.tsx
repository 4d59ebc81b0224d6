// The API keys: make, rename, rotate and revoke them, and see how often each is used.
import type { Key } from "../api/keys.ts";
import { toScale } from "../charts/shapes.tsx";
import { Button } from "../parts/fields.tsx";
import { Failed, usePolling, Waiting } from "../parts/poll.tsx";
import { Table, unseen } from "../parts/table.tsx";
import { KeyDialogs } from "./dialogs.tsx";
import { KeyRow } from "./row.tsx";
import type { KeysState } from "./state.ts";

/** How often they are read while they are shown. */
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
	const top = toTop(all, state);
	return (
		<>
			{valid.length === 0 ? (
				<div class="empty">
					<h2>No stored keys</h2>
					<p>
						Programs need a key to call the service. Make one for each of them.
					</p>
				</div>
			) : (
				<KeyTable keys={valid} state={state} top={top} />
			)}
			{ended.length > 0 && (
				<details class="ended">
					<summary>Revoked and expired keys ({ended.length})</summary>
					<KeyTable keys={ended} state={state} top={top} />
				</details>
			)}
		</>
	);
}

function isValid({ revokedAt, expiresAt = Infinity }: Key): boolean {
	return revokedAt === undefined && expiresAt > Date.now();
}

/** Above the calls of every key on every day. */
function toTop(keys: readonly Key[], { calls }: KeysState): number {
	return toScale(
		keys.flatMap(({ id }) => [
			...(calls.value.get(String(id))?.values() ?? []),
		]),
	).top;
}

function KeyTable({
	keys,
	state,
	top,
}: {
	keys: readonly Key[];
	state: KeysState;
	top: number;
}) {
	return (
		<Table class="keys" headings={headings}>
			{keys.map((key) => (
				<KeyRow key={key.id} apiKey={key} state={state} top={top} />
			))}
		</Table>
	);
}

const headings = [
	...["Key", "Scope", "Expiry", "Last use", "Calls by day"],
	unseen("Actions"),
];
