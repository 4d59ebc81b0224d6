// The dialogs about keys.
import { useSignal } from "@preact/signals";
import { keyScopes, scopeMeanings } from "../../../domain/key-scope.ts";
import type { Key } from "../api/keys.ts";
import { SelectField, TextField } from "../parts/fields.tsx";
import { FormDialog } from "../parts/form.tsx";
import { capitalise, isolate } from "../parts/labels.ts";
import { Secret } from "./secret.tsx";
import type { KeysState } from "./state.ts";

export function KeyDialogs({ state }: { state: KeysState }) {
	const open = state.dialog.value;
	if (open === undefined) return null;
	switch (open.kind) {
		case "make":
			return <MakeKey state={state} />;
		case "secret":
			return <Secret made={open.made} onClose={() => state.open(undefined)} />;
		case "rename":
			return <Rename apiKey={open.key} state={state} />;
		case "rotate":
			return <Rotate apiKey={open.key} state={state} />;
		default:
			return <End kind={open.kind} apiKey={open.key} state={state} />;
	}
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
		<FormDialog
			title="Make a key"
			submit="Make the key"
			onClose={() => state.open(undefined)}
			onSubmit={async () => {
				const made = await state.keys.create({
					name: name.value,
					scope: scope.value,
					expiresAt: toExpiry(days.value),
				});
				await state.openAndLoad({ kind: "secret", made });
			}}
		>
			<TextField
				label="Name"
				hint="Who uses the key, and for what."
				value={name}
			/>
			<SelectField
				label="Scope"
				hint={known ? `${capitalise(scopeMeanings[known])}.` : ""}
				value={scope}
				options={keyScopes.map((value) => ({ value, text: value }))}
			/>
			<SelectField label="Expiry" value={days} options={expiries} />
		</FormDialog>
	);
}

const expiries = [
	{ value: "", text: "never" },
	{ value: "1", text: "in 1 day" },
	{ value: "7", text: "in 7 days" },
	{ value: "30", text: "in 30 days" },
	{ value: "90", text: "in 90 days" },
	{ value: "365", text: "in 365 days" },
];

function toExpiry(days: string): string | undefined {
	if (days === "") return undefined;
	return new Date(Date.now() + Number(days) * 86_400_000).toISOString();
}

function Rename({ apiKey, state }: AboutKeyProps) {
	const name = useSignal(apiKey.name);
	return (
		<FormDialog
			title={`Rename ${isolate(apiKey.name)}`}
			submit="Rename"
			onClose={() => state.open(undefined)}
			onSubmit={async () => {
				await state.keys.rename(apiKey.id, name.value);
				await state.openAndLoad(undefined);
			}}
		>
			<TextField label="Name" value={name} />
		</FormDialog>
	);
}

function Rotate({ apiKey, state }: AboutKeyProps) {
	const overlap = useSignal("86400");
	return (
		<FormDialog
			title={`Rotate ${isolate(apiKey.name)}`}
			submit="Make a new secret"
			onClose={() => state.open(undefined)}
			onSubmit={async () => {
				const made = await state.keys.rotate(apiKey.id, Number(overlap.value));
				await state.openAndLoad({ kind: "secret", made });
			}}
		>
			<p>
				The key gets a new secret, and keeps its name, scope and expiry. The old
				secret stays valid for a while, so that programs can be changed without
				a failed request.
			</p>
			<SelectField
				label="The old secret stays valid for"
				value={overlap}
				options={overlaps}
			/>
		</FormDialog>
	);
}

const overlaps = [
	{ value: "0", text: "no time: it ends now" },
	{ value: "3600", text: "1 hour" },
	{ value: "86400", text: "1 day" },
	{ value: "604800", text: "7 days" },
];

function End({
	kind,
	apiKey: { id, name },
	state,
}: AboutKeyProps & { kind: keyof typeof ends }) {
	const { submit, toText } = ends[kind];
	return (
		<FormDialog
			title={`${submit} ${isolate(name)}?`}
			submit={submit}
			isDangerous
			onClose={() => state.open(undefined)}
			onSubmit={async () => {
				await state.keys[kind](id);
				await state.openAndLoad(undefined);
			}}
		>
			<p>{toText(id)}</p>
		</FormDialog>
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
