// The API keys: make, rename, rotate and revoke them, and see how often each is used.
import { keysRefreshMs } from "../../../limits.ts";
import type { Key } from "../api/keys.ts";
import { toScale } from "../charts/scale.ts";
import { Failed, Waiting } from "../parts/failed.tsx";
import { usePolling } from "../parts/poll.ts";
import { KeyDialogs } from "./dialogs.tsx";
import { KeyRow } from "./row.tsx";
import type { KeysState } from "./state.ts";

export function KeysView({ state }: { state: KeysState }) {
	usePolling(keysRefreshMs, state.load, [state]);
	return (
		<>
			<div class="head">
				<h1 tabIndex={-1}>Keys</h1>
				<button
					type="button"
					onClick={() => {
						state.dialog.value = { kind: "make" };
					}}
				>
					Make a key
				</button>
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
		<table class="keys">
			<thead>
				<tr>
					<th scope="col">Key</th>
					<th scope="col">Scope</th>
					<th scope="col">Expiry</th>
					<th scope="col">Last use</th>
					<th scope="col">Calls by day</th>
					<th scope="col">
						<span class="unseen">Actions</span>
					</th>
				</tr>
			</thead>
			<tbody>
				{keys.map((key) => (
					<KeyRow key={key.id} apiKey={key} state={state} top={top} />
				))}
			</tbody>
		</table>
	);
}
