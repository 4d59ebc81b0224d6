// The form that adds a fault rule. Its fields come from the service.
import { type Signal, useSignal } from "@preact/signals";
import { useId } from "preact/hooks";
import { toMessage } from "../console/api/error.ts";
import { FormDialog } from "../console/parts/dialog.tsx";
import { capitalise } from "../console/parts/format.ts";
import type { Rule } from "./control.ts";
import {
	findOther,
	isOffered,
	type RuleField,
	toRule,
	type Values,
} from "./rule-fields.ts";

export function AddFault({
	fields,
	onAdd,
	onClose,
}: {
	fields: readonly RuleField[];
	onAdd: (rule: Rule) => Promise<void>;
	onClose: () => void;
}) {
	const values = useSignal<Values>({});
	const add = async () => {
		try {
			await onAdd(toRule(fields, values.value));
		} catch (error) {
			// The service names the rule by its place among all.
			throw new Error(
				capitalise(toMessage(error).replace(/^\[\d+\]\.?\s*/, "")),
			);
		}
		onClose();
	};
	return (
		<FormDialog
			title="Add a fault"
			submit="Add"
			onSubmit={add}
			onClose={onClose}
		>
			<FieldGroup
				title="For which requests"
				fields={fields.filter(({ isKind }) => !isKind)}
				values={values}
			/>
			<FieldGroup
				title="What happens"
				fields={fields.filter(({ isKind }) => isKind)}
				values={values}
			/>
			<p class="hint">
				Rules are used in their order. To let two requests pass first, first add
				a rule for them with <code>times</code> 2 and <code>delay</code> 0.
			</p>
		</FormDialog>
	);
}

function FieldGroup({
	title,
	fields,
	values,
}: {
	title: string;
	fields: readonly RuleField[];
	values: Signal<Values>;
}) {
	return (
		<fieldset>
			<legend>{title}</legend>
			<div class="grid">
				{fields
					.filter((field) => isOffered(field, values.value))
					.map((field) => (
						<Field
							key={field.name}
							field={field}
							value={values.value[field.name] ?? ""}
							other={findOther(field, values.value)}
							onInput={(value) => {
								values.value = { ...values.value, [field.name]: value };
							}}
						/>
					))}
			</div>
		</fieldset>
	);
}

function Field({
	field: { name, description, choices, format },
	value,
	other,
	onInput,
}: {
	field: RuleField;
	value: string;
	/** The field that excludes this one. */
	other: string | undefined;
	onInput: (value: string) => void;
}) {
	const id = useId();
	const common = {
		...{ id, value, "aria-describedby": `${id}-hint` },
		disabled: other !== undefined,
		onInput: ({ currentTarget }: { currentTarget: { value: string } }) =>
			onInput(currentTarget.value),
	};
	return (
		<div class="field">
			<label class="label" for={id}>
				<code>{name}</code>
			</label>
			{choices === undefined ? (
				<input {...common} autocomplete="off" placeholder={format} />
			) : (
				<select {...common}>
					<option value="">–</option>
					{choices.map((choice) => (
						<option key={choice}>{choice}</option>
					))}
				</select>
			)}
			<span class="hint" id={`${id}-hint`}>
				{other === undefined ? (
					<Prose text={description} />
				) : (
					<>
						Cannot be used together with <code>{other}</code>.
					</>
				)}
			</span>
		</div>
	);
}

/** Text with code between backticks. */
function Prose({ text }: { text: string }) {
	return (
		<>
			{text
				.split("`")
				.map((part, index) =>
					index % 2 === 1 ? <code key={part}>{part}</code> : part,
				)}
		</>
	);
}
