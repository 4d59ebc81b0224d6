// The dialog that makes a key.
import { useSignal } from "@preact/signals";
import { keyScopes, scopeMeanings } from "../../../contract/key-scope.ts";
import { useAction } from "../parts/action.ts";
import { Dialog } from "../parts/dialog.tsx";
import { SelectField, TextField } from "../parts/fields.tsx";
import { Form } from "../parts/form.tsx";
import type { KeysState } from "./state.ts";

export function MakeKey({
	state,
	onClose,
}: {
	state: KeysState;
	onClose: () => void;
}) {
	const name = useSignal("");
	const scope = useSignal("read-write");
	const days = useSignal("");
	const action = useAction();
	return (
		<Dialog title="Make a key" onClose={onClose}>
			<Form
				action={action}
				submit="Make the key"
				onCancel={onClose}
				onSubmit={async () => {
					const made = await state.keys.create({
						name: name.value,
						scope: scope.value,
						expiresAt: toExpiry(days.value),
					});
					state.dialog.value = { kind: "secret", made };
					await state.load();
				}}
			>
				<TextField
					label="Name"
					hint="Who uses the key, and for what."
					value={name}
				/>
				<SelectField
					label="Scope"
					hint={toHint(scope.value)}
					value={scope}
					options={keyScopes.map((value) => ({ value, text: value }))}
				/>
				<SelectField label="Expiry" value={days} options={expiries} />
			</Form>
		</Dialog>
	);
}

function toHint(name: string): string {
	const scope = keyScopes.find((known) => known === name);
	if (scope === undefined) return "";
	const meaning = scopeMeanings[scope];
	return `${meaning.slice(0, 1).toUpperCase()}${meaning.slice(1)}.`;
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
