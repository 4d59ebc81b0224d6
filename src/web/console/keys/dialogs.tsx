// The dialogs about keys.
import { useSignal } from "@preact/signals";
import type { ComponentProps } from "preact";
import { useRef } from "preact/hooks";
import { keyScopes, scopeMeanings } from "../../../domain/key-scope.ts";
import { toQuantity } from "../../../domain/quantity.ts";
import type { Key, Keys, MadeKey } from "../api/keys.ts";
import { Dialog, FormDialog } from "../parts/dialog.tsx";
import { Button, Field } from "../parts/fields.tsx";
import { capitalise, isolate } from "../parts/format.ts";
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

interface ChangeProps {
	readonly kind: KeyChange;
	readonly apiKey: Key;
	readonly state: KeysState;
}

function ChangeKey({ kind, apiKey: key, state }: ChangeProps) {
	const { verb, submit = verb, isDangerous = false, ...change } = changes[kind];
	const value = useSignal(change.field?.initial ?? key.name);
	return (
		<FormDialog
			title={`${verb} ${isolate(key.name)}${isDangerous ? "?" : ""}`}
			submit={submit}
			isDangerous={isDangerous}
			onClose={() => state.open(undefined)}
			onSubmit={async () =>
				state.finish(await change.run(state.keys, key.id, value.value))
			}
		>
			{change.text && <p>{change.text(key)}</p>}
			{kind === "revoke" && state.isOwn(key) && (
				<p>You are signed in with this key: you will be signed out.</p>
			)}
			{change.field && <Field {...change.field} value={value} />}
		</FormDialog>
	);
}

interface Change {
	readonly verb: string;
	/** The verb if absent. */
	readonly submit?: string;
	readonly isDangerous?: boolean;
	readonly text?: (key: Key) => string;
	/** Its first value is the name of the key, unless it has an initial one. */
	readonly field?: Omit<ComponentProps<typeof Field>, "value"> & {
		readonly initial?: string;
	};
	readonly run: (
		keys: Keys,
		id: number,
		value: string,
	) => Promise<MadeKey | undefined>;
}

const changes: Readonly<Record<KeyChange, Change>> = {
	rename: {
		verb: "Rename",
		field: { label: "Name" },
		run: async (keys, id, name) => void (await keys.rename(id, name)),
	},
	rotate: {
		verb: "Rotate",
		submit: "Make a new secret",
		text: () =>
			"The key gets a new secret and keeps its name, scope and expiry. " +
			"The old secret stays valid for a while, so that programs can switch without a failed request.",
		field: {
			label: "The old secret stays valid for",
			initial: "86400",
			options: [
				{ value: "0", text: "no time (it ends now)" },
				{ value: "3600", text: "1 hour" },
				{ value: "86400", text: "1 day" },
				{ value: "604800", text: "7 days" },
			],
		},
		run: (keys, id, overlap) => keys.rotate(id, Number(overlap)),
	},
	revoke: {
		verb: "Revoke",
		isDangerous: true,
		text: () =>
			"Within a second, the service refuses this key and ends its sessions. You cannot undo this.",
		run: async (keys, id) => void (await keys.revoke(id)),
	},
	forget: {
		verb: "Delete",
		isDangerous: true,
		text: ({ id }) =>
			`You cannot undo this. The traffic still shows its calls, as calls of key ${id}.`,
		run: async (keys, id) => {
			await keys.forget(id);
			location.hash = "keys";
			return undefined;
		},
	},
};

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
