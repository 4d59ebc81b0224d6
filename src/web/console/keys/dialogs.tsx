// The dialogs about keys.
import { useSignal } from "@preact/signals";
import { useRef } from "preact/hooks";
import { keyScopes, scopeMeanings } from "../../../domain/key-scope.ts";
import { toQuantity } from "../../../domain/quantity.ts";
import type { Key, MadeKey } from "../api/keys.ts";
import { Dialog, FormDialog } from "../parts/dialog.tsx";
import { Button, Field } from "../parts/fields.tsx";
import { capitalise, formatRelative, isolate } from "../parts/format.ts";
import type { KeyChange, KeysState } from "./state.ts";

export function KeyDialogs({ state }: { state: KeysState }) {
	const open = state.dialog.value;
	if (open === undefined) return null;
	if (open.kind === "make") return <MakeKey state={state} />;
	if (open.kind === "secret") return <Secret made={open.made} state={state} />;
	return <ChangeKey kind={open.kind} apiKey={open.key} state={state} />;
}

function MakeKey({ state }: { state: KeysState }) {
	const name = useSignal("");
	const scope = useSignal<string>("read-write");
	const days = useSignal("");
	const known = keyScopes.find((one) => one === scope.value);
	return (
		<FormDialog
			title="Make a key"
			submit="Make the key"
			onClose={() => state.open(undefined)}
			onSubmit={async () => {
				const chosen = { name: name.value, scope: scope.value };
				const expiresAt = toExpiry(days.value);
				await state.finish(await state.keys.create({ ...chosen, expiresAt }));
			}}
		>
			<Field
				label="Name"
				hint="Say who uses the key and for what."
				value={name}
			/>
			<Field
				label="Scope"
				hint={known ? `${capitalise(scopeMeanings[known])}.` : ""}
				value={scope}
				options={keyScopes.map((value) => ({ value, text: value }))}
			/>
			<Field label="Expiry" value={days} options={expiries} />
		</FormDialog>
	);
}

const expiries = [
	{ value: "", text: "never" },
	...[1, 7, 30, 90, 365].map((days) => ({
		value: String(days),
		text: `in ${toQuantity(days, "day")}`,
	})),
];

function toExpiry(days: string): string | undefined {
	if (days === "") return undefined;
	return new Date(Date.now() + Number(days) * 86_400_000).toISOString();
}

/** The choice that leaves the expiry as it is. */
const unchanged = "unchanged";

function toCurrent({ expiresAt }: Key) {
	if (expiresAt === undefined) return [];
	const verb = expiresAt <= Date.now() ? "expired" : "expires";
	return [{ value: unchanged, text: `${verb} ${formatRelative(expiresAt)}` }];
}

interface ChangeProps {
	readonly kind: KeyChange;
	readonly apiKey: Key;
	readonly state: KeysState;
}

function ChangeKey({ kind, apiKey: key, state }: ChangeProps) {
	const name = useSignal(key.name);
	const current = toCurrent(key);
	const days = useSignal(current[0]?.value ?? "");
	const close = { onClose: () => state.open(undefined) };
	if (kind === "change")
		return (
			<FormDialog
				title={`Change ${isolate(key.name)}`}
				submit="Change"
				onSubmit={async () => {
					await state.keys.change(key.id, {
						name: name.value,
						...(days.value !== unchanged && {
							expiresAt: toExpiry(days.value) ?? null,
						}),
					});
					await state.finish();
				}}
				{...close}
			>
				<Field label="Name" value={name} />
				<Field
					label="Expiry"
					value={days}
					options={[...current, ...expiries]}
				/>
			</FormDialog>
		);
	return (
		<FormDialog
			title={`Revoke ${isolate(key.name)}?`}
			submit="Revoke"
			isDangerous
			onSubmit={async () => {
				await state.keys.revoke(key.id);
				await state.finish();
			}}
			{...close}
		>
			<p>
				Within a second, the service refuses this key and ends its sessions. You
				cannot undo this.
			</p>
			{state.isOwn(key) && (
				<p>You are signed in with this key: you will be signed out.</p>
			)}
		</FormDialog>
	);
}

function Secret({ made, state }: { made: MadeKey; state: KeysState }) {
	const field = useRef<HTMLTextAreaElement>(null);
	const copied = useSignal("");
	const copy = async () => {
		try {
			await navigator.clipboard.writeText(made.key);
			copied.value = "Copied.";
		} catch {
			// Browsers have no clipboard on plain HTTP, except on localhost.
			field.current?.select();
			copied.value = "Could not copy. Copy the selected text yourself.";
		}
	};
	return (
		<Dialog title={`The secret of ${isolate(made.name)}`}>
			<div class="form">
				<p>
					Copy it now. The service stores only its hash and cannot show it
					again.
				</p>
				<div class="secret">
					<textarea
						ref={field}
						readOnly
						rows={2}
						spellcheck={false}
						aria-label="API key"
						value={made.key}
						onFocus={({ currentTarget }) => currentTarget.select()}
					/>
					<Button onClick={() => void copy()}>Copy</Button>
				</div>
				<p class="hint" role="status">
					{copied.value}
				</p>
				<div class="buttons">
					<Button class="minor" onClick={() => state.open(undefined)}>
						I have copied it
					</Button>
				</div>
			</div>
		</Dialog>
	);
}
