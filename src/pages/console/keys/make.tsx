// The dialog that makes a key.
import { useSignal } from "@preact/signals";
import { scopes } from "../api/keys.ts";
import { useAction } from "../parts/action.ts";
import { Dialog } from "../parts/dialog.tsx";
import { Field, Form } from "../parts/form.tsx";
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
				<Field label="Name" hint="Who uses the key, and for what.">
					<input
						required
						autocomplete="off"
						value={name.value}
						onInput={({ currentTarget }) => {
							name.value = currentTarget.value;
						}}
					/>
				</Field>
				<Field label="Scope" hint={scopeHints[scope.value] ?? ""}>
					<select
						value={scope.value}
						onChange={({ currentTarget }) => {
							scope.value = currentTarget.value;
						}}
					>
						{scopes.map((one) => (
							<option key={one}>{one}</option>
						))}
					</select>
				</Field>
				<Field label="Expiry">
					<select
						value={days.value}
						onChange={({ currentTarget }) => {
							days.value = currentTarget.value;
						}}
					>
						<option value="">never</option>
						<option value="1">in 1 day</option>
						<option value="7">in 7 days</option>
						<option value="30">in 30 days</option>
						<option value="90">in 90 days</option>
						<option value="365">in 365 days</option>
					</select>
				</Field>
			</Form>
		</Dialog>
	);
}

const scopeHints: Readonly<Record<string, string>> = {
	read: "List and get animals.",
	"read-write": "List, get and add animals.",
	operator: "Everything, also the console and the operator interface.",
	metrics: "Only /metrics.",
};

function toExpiry(days: string): string | undefined {
	if (days === "") return undefined;
	return new Date(Date.now() + Number(days) * 86_400_000).toISOString();
}
