// The dialogs about keys.
import { useSignal } from "@preact/signals";
import type { Key } from "../api/keys.ts";
import { useAction } from "../parts/action.ts";
import { Dialog } from "../parts/dialog.tsx";
import { SelectField, TextField } from "../parts/fields.tsx";
import { Form } from "../parts/form.tsx";
import { isolate } from "../parts/names.ts";
import { MakeKey } from "./make.tsx";
import { Secret } from "./secret.tsx";
import type { KeysState } from "./state.ts";

export function KeyDialogs({ state }: { state: KeysState }) {
	const open = state.dialog.value;
	const close = () => {
		state.dialog.value = undefined;
	};
	if (open === undefined) return null;
	if (open.kind === "make") return <MakeKey state={state} onClose={close} />;
	if (open.kind === "secret")
		return <Secret made={open.made} onClose={close} />;
	const About = {
		rename: Rename,
		rotate: Rotate,
		revoke: Revoke,
		forget: Forget,
	}[open.kind];
	return <About apiKey={open.key} state={state} onClose={close} />;
}

interface AboutKeyProps {
	readonly apiKey: Key;
	readonly state: KeysState;
	readonly onClose: () => void;
}

function Rename({ apiKey, state, onClose }: AboutKeyProps) {
	const name = useSignal(apiKey.name);
	const action = useAction();
	return (
		<Dialog title={`Rename ${isolate(apiKey.name)}`} onClose={onClose}>
			<Form
				action={action}
				submit="Rename"
				onCancel={onClose}
				onSubmit={async () => {
					await state.keys.rename(apiKey.id, name.value);
					onClose();
					await state.load();
				}}
			>
				<TextField label="Name" value={name} />
			</Form>
		</Dialog>
	);
}

function Rotate({ apiKey, state, onClose }: AboutKeyProps) {
	const overlap = useSignal("86400");
	const action = useAction();
	return (
		<Dialog title={`Rotate ${isolate(apiKey.name)}`} onClose={onClose}>
			<Form
				action={action}
				submit="Make a new secret"
				onCancel={onClose}
				onSubmit={async () => {
					const made = await state.keys.rotate(
						apiKey.id,
						Number(overlap.value),
					);
					state.dialog.value = { kind: "secret", made };
					await state.load();
				}}
			>
				<p>
					The key gets a new secret, and keeps its name, scope and expiry. The
					old secret stays valid for a while, so that programs can be changed
					without a failed request.
				</p>
				<SelectField
					label="The old secret stays valid for"
					value={overlap}
					options={overlaps}
				/>
			</Form>
		</Dialog>
	);
}

const overlaps = [
	{ value: "0", text: "no time: it ends now" },
	{ value: "3600", text: "1 hour" },
	{ value: "86400", text: "1 day" },
	{ value: "604800", text: "7 days" },
];

function Revoke({ apiKey, state, onClose }: AboutKeyProps) {
	return (
		<Confirm
			title={`Revoke ${isolate(apiKey.name)}?`}
			submit="Revoke"
			text="Programs that use this key are refused within a second, and sessions that were signed in with it end. This cannot be undone."
			act={() => state.keys.revoke(apiKey.id)}
			state={state}
			onClose={onClose}
		/>
	);
}

function Forget({ apiKey, state, onClose }: AboutKeyProps) {
	return (
		<Confirm
			title={`Delete ${isolate(apiKey.name)}?`}
			submit="Delete"
			text={`The key is removed from this list for good. Its calls stay in the traffic as those of key ${apiKey.id}.`}
			act={() => state.keys.forget(apiKey.id)}
			state={state}
			onClose={onClose}
		/>
	);
}

function Confirm({
	title,
	submit,
	text,
	act,
	state,
	onClose,
}: {
	title: string;
	submit: string;
	text: string;
	act: () => Promise<void>;
} & Omit<AboutKeyProps, "apiKey">) {
	const action = useAction();
	return (
		<Dialog title={title} onClose={onClose}>
			<Form
				action={action}
				submit={submit}
				isDangerous
				onCancel={onClose}
				onSubmit={async () => {
					await act();
					onClose();
					await state.load();
				}}
			>
				<p>{text}</p>
			</Form>
		</Dialog>
	);
}
