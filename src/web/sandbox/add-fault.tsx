// The form that adds a fault rule. Its fields come from the service.
import { type Signal, useSignal } from "@preact/signals";
import { useId } from "preact/hooks";
import { toMessage } from "../console/api/error.ts";
import { FormDialog } from "../console/parts/dialog.tsx";
import { focusFirst, type Option } from "../console/parts/fields.tsx";
import { capitalise } from "../console/parts/format.ts";
import type { Rule } from "./control.ts";
import {
	anyOperation,
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
	field: { name, description, choices, format, accepts },
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
	const isWrong = useSignal(false);
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
				<input
					{...common}
					autocomplete="off"
					placeholder={format}
					aria-invalid={isWrong.value}
					onInput={({ currentTarget }) => {
						const { value } = currentTarget;
						currentTarget.setCustomValidity(accepts(value) ? "" : format);
						isWrong.value = false;
						onInput(value);
					}}
					onInvalid={(event) => {
						isWrong.value = true;
						focusFirst(event);
					}}
				/>
			) : (
				<select {...common}>
					<option value="">{name === "operation" ? anyOperation : "–"}</option>
					{choices.map(({ label, options }) =>
						label === "" ? (
							options.map(toOption)
						) : (
							<optgroup key={label} label={label}>
								{options.map(toOption)}
							</optgroup>
						),
					)}
				</select>
			)}
			<span class={isWrong.value ? "wrong" : "hint"} id={`${id}-hint`}>
				{isWrong.value ? (
					`Enter ${format}.`
				) : other === undefined ? (
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

function toOption({ value, text }: Option) {
	return (
		<option key={value} value={value}>
			{text}
		</option>
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
