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

export function AddFault(props: {
	fields: readonly RuleField[];
	onAdd: (rule: Rule) => Promise<void>;
	onClose: () => void;
}) {
	const { fields, onAdd, onClose } = props;
	const values = useSignal<Values>({});
	const add = async () => {
		try {
			await onAdd(toRule(fields, values.value));
		} catch (error) {
			// Drops the index of the rule from the message.
			throw new Error(
				capitalise(toMessage(error).replace(/^\[\d+\]\.?\s*/, "")),
			);
		}
		onClose();
	};
	const group = (title: string, own: readonly RuleField[]) => (
		<fieldset>
			<legend>{title}</legend>
			<div class="grid">
				{own
					.filter((field) => isOffered(field, values.value))
					.map((field) => (
						<Field key={field.name} field={field} values={values} />
					))}
			</div>
		</fieldset>
	);
	return (
		<FormDialog
			title="Add a fault"
			submit="Add"
			onSubmit={add}
			onClose={onClose}
		>
			{group(
				"For which requests",
				fields.filter(({ isKind }) => !isKind),
			)}
			{group(
				"What happens",
				fields.filter(({ isKind }) => isKind),
			)}
		</FormDialog>
	);
}

function Field(props: { field: RuleField; values: Signal<Values> }) {
	const { field, values } = props;
	const { name, choices, format, accepts } = field;
	const id = useId();
	const isWrong = useSignal(false);
	const other = findOther(field, values.value);
	const hint =
		other === undefined
			? field.description
			: `Cannot be used together with \`${other}\`.`;
	const common = {
		id,
		value: values.value[name] ?? "",
		disabled: other !== undefined,
		"aria-describedby": `${id}-hint`,
		onInput: ({ currentTarget }: { currentTarget: { value: string } }) => {
			values.value = { ...values.value, [name]: currentTarget.value };
			isWrong.value = false;
		},
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
					onInput={(event) => {
						const { currentTarget } = event;
						const isRight = accepts(currentTarget.value);
						currentTarget.setCustomValidity(isRight ? "" : format);
						common.onInput(event);
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
				<Prose text={isWrong.value ? `Enter ${format}.` : hint} />
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
