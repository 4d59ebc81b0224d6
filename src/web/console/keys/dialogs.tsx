// The dialogs about keys.
import { useSignal } from "@preact/signals";
import type { ComponentChildren } from "preact";
import { useRef } from "preact/hooks";
import { keyScopes, scopeMeanings } from "../../../domain/key-scope.ts";
import type { Key, MadeKey } from "../api/keys.ts";
import { Dialog, FormDialog } from "../parts/dialog.tsx";
import { Button, Field } from "../parts/fields.tsx";
import { capitalise, isolate } from "../parts/format.ts";
import type { KeysState, OpenDialog } from "./state.ts";

export function KeyDialogs({ state }: { state: KeysState }) {
	const open = state.dialog.value;
	if (open === undefined) return null;
	switch (open.kind) {
		case "make":
			return <MakeKey state={state} />;
		case "secret":
			return <Secret made={open.made} state={state} />;
		case "rename":
			return <Rename apiKey={open.key} state={state} />;
		case "rotate":
			return <Rotate apiKey={open.key} state={state} />;
		default:
			return <End kind={open.kind} apiKey={open.key} state={state} />;
	}
}

interface KeyFormProps {
	readonly title: string;
	readonly submit: string;
	readonly isDangerous?: boolean;
	readonly state: KeysState;
	/** Changes something. Returns the dialog that is shown next. */
	readonly change: () => Promise<OpenDialog>;
	readonly children: ComponentChildren;
}

function KeyForm({ state, change, ...form }: KeyFormProps) {
	return (
		<FormDialog
			{...form}
			onClose={() => state.open(undefined)}
			onSubmit={async () => {
				state.open(await change());
				await state.load();
			}}
		/>
	);
}

interface AboutKeyProps {
	readonly apiKey: Key;
	readonly state: KeysState;
}

function MakeKey({ state }: { state: KeysState }) {
	const name = useSignal("");
	const scope = useSignal<string>("read-write");
	const days = useSignal("");
	const known = keyScopes.find((one) => one === scope.value);
	return (
		<KeyForm
			title="Make a key"
			submit="Make the key"
			state={state}
			change={async () => {
				const made = await state.keys.create({
					name: name.value,
					scope: scope.value,
					expiresAt: toExpiry(days.value),
				});
				return { kind: "secret", made };
			}}
		>
			<Field label="Name" hint="Who uses the key, and for what." value={name} />
			<Field
				label="Scope"
				hint={known ? `${capitalise(scopeMeanings[known])}.` : ""}
				value={scope}
				options={keyScopes.map((value) => ({ value, text: value }))}
			/>
			<Field label="Expiry" value={days} options={expiries} />
		</KeyForm>
	);
}

const expiries = [
	{ value: "", text: "never" },
	{ value: "1", text: "in 1 day" },
	...[7, 30, 90, 365].map((days) => ({
		value: String(days),
		text: `in ${days} days`,
	})),
];

function toExpiry(days: string): string | undefined {
	if (days === "") return undefined;
	return new Date(Date.now() + Number(days) * 86_400_000).toISOString();
}

function Rename({ apiKey: { id, name }, state }: AboutKeyProps) {
	const wanted = useSignal(name);
	return (
		<KeyForm
			title={`Rename ${isolate(name)}`}
			submit="Rename"
			state={state}
			change={async () => {
				await state.keys.rename(id, wanted.value);
				return undefined;
			}}
		>
			<Field label="Name" value={wanted} />
		</KeyForm>
	);
}

function Rotate({ apiKey: { id, name }, state }: AboutKeyProps) {
	const overlap = useSignal("86400");
	return (
		<KeyForm
			title={`Rotate ${isolate(name)}`}
			submit="Make a new secret"
			state={state}
			change={async () => {
				const made = await state.keys.rotate(id, Number(overlap.value));
				return { kind: "secret", made };
			}}
		>
			<p>
				The key gets a new secret, and keeps its name, scope and expiry. The old
				secret stays valid for a while, so that programs can be changed without
				a failed request.
			</p>
			<Field
				label="The old secret stays valid for"
				value={overlap}
				options={overlaps}
			/>
		</KeyForm>
	);
}

const overlaps = [
	{ value: "0", text: "no time: it ends now" },
	{ value: "3600", text: "1 hour" },
	{ value: "86400", text: "1 day" },
	{ value: "604800", text: "7 days" },
];

function End(props: AboutKeyProps & { kind: keyof typeof ends }) {
	const { kind, state } = props;
	const { id, name } = props.apiKey;
	const { submit, toText } = ends[kind];
	return (
		<KeyForm
			title={`${submit} ${isolate(name)}?`}
			submit={submit}
			isDangerous
			state={state}
			change={async () => {
				await state.keys[kind](id);
				return undefined;
			}}
		>
			<p>{toText(id)}</p>
		</KeyForm>
	);
}

const ends = {
	revoke: {
		submit: "Revoke",
		toText: () =>
			"Programs that use this key are refused within a second, and sessions that were signed in with it end. This cannot be undone.",
	},
	forget: {
		submit: "Delete",
		toText: (id: number) =>
			`The key is removed from this list for good. Its calls stay in the traffic as those of key ${id}.`,
	},
};

/** Shows the secret of a key, once. */
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
			copied.value = "Not copied: copy the selected text yourself.";
		}
	};
	return (
		<Dialog title={`The secret of ${isolate(made.name)}`}>
			<div class="form">
				<p>
					Copy it now. The service stores only its hash, so nobody can show it
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
