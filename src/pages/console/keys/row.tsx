// One key of the list.
import { canForget } from "../../../contract/operator/keys/forget.ts";
import type { Key } from "../api/keys.ts";
import { formatDate, formatRelative, formatTime } from "../parts/format.ts";
import { toKeyLabel } from "../parts/names.ts";
import { Calls } from "./calls.tsx";
import type { KeysState } from "./state.ts";

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
					<time
						dateTime={new Date(lastUsedAt).toISOString()}
						title={formatTime(lastUsedAt)}
					>
						{/* The service records it at most once a minute. */}
						used {formatRelative(lastUsedAt)}
					</time>
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
	return (
		<time
			dateTime={new Date(expiresAt).toISOString()}
			title={formatTime(expiresAt)}
		>
			{expiresAt > Date.now() ? "expires" : "expired"}{" "}
			{formatRelative(expiresAt)}
		</time>
	);
}

function KeyActions({ apiKey: key, state }: { apiKey: Key; state: KeysState }) {
	return (
		<>
			{actionsFor(key).map(({ kind, text }) => (
				<button
					key={kind}
					type="button"
					class="plain"
					aria-label={`${text} ${toKeyLabel(key)}`}
					onClick={() => {
						state.dialog.value = { kind, key };
					}}
				>
					{text}
				</button>
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
