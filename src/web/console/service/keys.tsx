// The API keys: make, change and revoke them.
import { keyScopes, scopeMeanings } from "../../../domain/access/key-scope.ts";
import type { Key } from "../../../interface/replies.ts";
import { getAll, send } from "../../ui/api.ts";
import { CopyField, type FieldProps } from "../../ui/field.tsx";
import { Actions, type Asked, ask } from "../../ui/form.tsx";
import { formatDate, isolate, Moment, toNow } from "../../ui/format.tsx";
import { Shown, useResource } from "../../ui/resource.tsx";
import { type Column, Table } from "../../ui/table.tsx";
import { session } from "../session.tsx";

export function KeysView() {
	const keys = useResource((ending) => getAll<Key>("keys", 100, ending));
	return (
		<Shown of={keys}>
			{(all) => {
				const ended = all.filter(hasEnded);
				return (
					<>
						<KeyTable keys={all.filter((key) => !hasEnded(key))} />
						{ended.length > 0 && (
							<details class="ended">
								<summary>Revoked and expired keys ({ended.length})</summary>
								<KeyTable keys={ended} />
							</details>
						)}
					</>
				);
			}}
		</Shown>
	);
}

function hasEnded({ revokedAt, expiresAt }: Key): boolean {
	return revokedAt !== undefined || isOver(expiresAt);
}

function isOver(at: string | undefined): boolean {
	return at !== undefined && Date.parse(at) <= toNow();
}

function KeyTable({ keys }: { keys: readonly Key[] }) {
	return (
		<Table
			class="keys"
			// The newest first.
			rows={keys.toReversed()}
			columns={columns}
			toKey={({ id }) => id}
			empty={[
				"No stored keys",
				"Programs need a key to call the service. Make one for each program.",
			]}
		/>
	);
}

const columns: readonly Column<Key>[] = [
	{
		title: "Key",
		kind: "name",
		cell: ({ id, name, prefix, createdAt }) => (
			<>
				<bdi>{name}</bdi>
				<span class="detail">
					#{String(id)} <code>{prefix}…</code> made {formatDate(createdAt)}
				</span>
			</>
		),
	},
	{
		title: "Scope",
		kind: "aside",
		cell: ({ scope }) => (
			<span class="badge" data-is={scope}>
				{scope}
			</span>
		),
	},
	{ title: "Expiry", isPlain: true, cell: toExpiry },
	{ title: "Last use", isPlain: true, cell: toLastUse },
	{
		title: "Actions",
		kind: "actions",
		cell: (key) =>
			key.revokedAt === undefined && (
				<Actions
					of={`${key.name}, key ${key.id}`}
					forms={[toChanging(key), toRevoking(key)]}
				/>
			),
	},
];

function toExpiry({ revokedAt, expiresAt }: Key) {
	if (revokedAt !== undefined) return `revoked ${formatDate(revokedAt)}`;
	if (expiresAt === undefined) return <span class="soft">no expiry</span>;
	const before = isOver(expiresAt) ? "expired" : "expires";
	return <Moment before={before} time={expiresAt} />;
}

function toLastUse({ lastUsedAt, deprecatedUseAt }: Key) {
	if (lastUsedAt === undefined) return <span class="soft">never used</span>;
	return (
		<>
			<Moment before="used" time={lastUsedAt} />
			{deprecatedUseAt !== undefined && (
				<span class="detail">
					<Moment
						before="called a deprecated operation"
						time={deprecatedUseAt}
					/>
				</span>
			)}
		</>
	);
}

/** A day in the time zone of the browser, as a field has it; empty for never. */
function toDay(time: string | undefined): string {
	// Swedish dates are those of ISO 8601.
	return time ? new Date(time).toLocaleDateString("sv") : "";
}

/** At the end of the day. */
function toExpiresAt(day: string | undefined): string | null {
	return day ? new Date(`${day}T23:59:59`).toISOString() : null;
}

/** Of a key that has this one. */
const toExpiryField = (current = ""): FieldProps => ({
	label: "Last day",
	hint: "Without it, the key does not expire.",
	value: current,
	input: { type: "date", required: false },
	check: (day) =>
		day !== current && isOver(toExpiresAt(day) ?? undefined)
			? "Choose today or a later day."
			: "",
});

export const makingKey: Asked = {
	title: "Make a key",
	submit: "Make the key",
	fields: {
		name: { label: "Name", hint: "Say who uses the key and for what." },
		scope: {
			label: "Scope",
			value: "read-write",
			options: keyScopes.map(
				(scope) => [scope, `${scope}: ${scopeMeanings[scope]}`] as const,
			),
		},
		day: toExpiryField(),
	},
	async run({ name, scope, day }) {
		const body = { name, scope, expiresAt: toExpiresAt(day) ?? undefined };
		const { key } = await send<{ key: string }>("POST", "/keys", { body });
		ask({
			title: `The secret of ${isolate(name ?? "")}`,
			mustBeAnswered: true,
			submit: "I have copied it",
			Content: () => (
				<>
					<p>
						Copy it now. The service stores only its hash and cannot show it
						again.
					</p>
					<CopyField label="API key" text={key} />
				</>
			),
		});
	},
};

const toChanging = ({ id, name, expiresAt }: Key): Asked => ({
	title: `Change ${isolate(name)}`,
	submit: "Change",
	fields: {
		name: { label: "Name", value: name },
		day: toExpiryField(toDay(expiresAt)),
	},
	async run({ name, day }) {
		const isChanged = day !== toDay(expiresAt);
		const body = { name, ...(isChanged && { expiresAt: toExpiresAt(day) }) };
		await send("PATCH", `/keys/${id}`, { body });
	},
});

const toRevoking = ({ id, name }: Key): Asked => ({
	title: `Revoke ${isolate(name)}?`,
	submit: "Revoke",
	isDangerous: true,
	text: `Within a second, the service refuses this key and ends its sessions. You cannot undo this.${session.value.keyId === id ? " You are signed in with this key: you will be signed out." : ""}`,
	run: () => send("DELETE", `/keys/${id}`),
});
