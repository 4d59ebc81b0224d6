// Fields of forms, each with its label, its hint and a signal that has its value.
import type { Signal } from "@preact/signals";
import type { ComponentChildren } from "preact";
import { useId } from "preact/hooks";

interface FieldProps {
	readonly label: string;
	readonly hint?: string;
	readonly value: Signal<string>;
}

/** A line of text. */
export function TextField({
	label,
	hint,
	value,
	kind = "text",
	mayBeEmpty = false,
}: FieldProps & {
	readonly kind?: "text" | "secret" | "int64";
	readonly mayBeEmpty?: boolean;
}) {
	const id = useId();
	return (
		<Labelled id={id} label={label} hint={hint}>
			<input
				{...attributes[kind]}
				id={id}
				aria-describedby={`${id}-hint`}
				autocomplete="off"
				required={!mayBeEmpty}
				value={value.value}
				onInput={({ currentTarget }) => {
					value.value = currentTarget.value;
				}}
			/>
		</Labelled>
	);
}

const attributes = {
	text: {},
	secret: { type: "password" },
	int64: {
		inputMode: "numeric",
		pattern: "\\s*-?[0-9]{1,19}\\s*",
		title: "a whole number",
	},
} as const;

export function SelectField({
	label,
	hint,
	value,
	options,
}: FieldProps & {
	readonly options: readonly {
		readonly value: string;
		readonly text: string;
	}[];
}) {
	const id = useId();
	return (
		<Labelled id={id} label={label} hint={hint}>
			<select
				id={id}
				aria-describedby={`${id}-hint`}
				value={value.value}
				onChange={({ currentTarget }) => {
					value.value = currentTarget.value;
				}}
			>
				{options.map(({ value, text }) => (
					<option key={value} value={value}>
						{text}
					</option>
				))}
			</select>
		</Labelled>
	);
}

function Labelled({
	id,
	label,
	hint,
	children,
}: {
	id: string;
	label: string;
	hint: string | undefined;
	children: ComponentChildren;
}) {
	return (
		<div class="field">
			<label class="label" for={id}>
				{label}
			</label>
			{children}
			<span class="hint" id={`${id}-hint`}>
				{hint}
			</span>
		</div>
	);
}
