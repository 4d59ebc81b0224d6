// What the list of the keys and the page of a key both show: the expiry, the last use, and the buttons.
import { canForget } from "../../../domain/key-scope.ts";
import type { Key } from "../api/keys.ts";
import { Button } from "../parts/fields.tsx";
import {
	formatDate,
	formatRelative,
	formatTime,
	toKeyLabel,
} from "../parts/format.ts";
import type { KeysState } from "./state.ts";

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

export function KeyActions(props: ActionsProps) {
	const { apiKey: key, state } = props;
	return (
		<>
			{actionsFor(key).map(({ kind, text }) => (
				<Button
					key={kind}
					class={props.class}
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
