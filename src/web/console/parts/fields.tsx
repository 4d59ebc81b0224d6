// Fields of forms, each with its label, its hint and a signal that has its value; buttons, and a choice among them.
import type { Signal } from "@preact/signals";
import type { ComponentProps, TargetedKeyboardEvent, VNode } from "preact";
import { useId } from "preact/hooks";

export interface Option<Value extends string = string> {
	readonly value: Value;
	readonly text: string;
}

interface FieldProps {
	readonly label: string;
	readonly hint?: string;
	readonly value: Signal<string>;
}

export function TextField({
	value,
	kind = "text",
	mayBeEmpty = false,
	...field
}: FieldProps & {
	readonly kind?: "text" | "secret" | "int64";
	readonly mayBeEmpty?: boolean;
}) {
	return (
		<Labelled {...field}>
			{(ids) => (
				<input
					{...attributes[kind]}
					{...ids}
					autocomplete="off"
					required={!mayBeEmpty}
					value={value.value}
					onInput={({ currentTarget }) => {
						value.value = currentTarget.value;
					}}
				/>
			)}
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
	value,
	options,
	...field
}: FieldProps & { readonly options: readonly Option[] }) {
	return (
		<Labelled {...field}>
			{(ids) => (
				<select
					{...ids}
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
			)}
		</Labelled>
	);
}

/** The control gets its own id, and that of its hint. */
function Labelled({
	label,
	hint,
	children,
}: Omit<FieldProps, "value"> & {
	children: (ids: { id: string; "aria-describedby": string }) => VNode;
}) {
	const id = useId();
	const hintId = `${id}-hint`;
	return (
		<div class="field">
			<label class="label" for={id}>
				{label}
			</label>
			{children({ id, "aria-describedby": hintId })}
			<span class="hint" id={hintId}>
				{hint}
			</span>
		</div>
	);
}

/** A button that submits no form. */
export function Button(props: ComponentProps<"button">) {
	return <button {...props} type="button" />;
}

/** A choice of one value among few, all of which are shown. It is one stop of the Tab key; the arrow keys move within it. */
export function Choice<Value extends string>({
	label,
	values,
	chosen,
	isDisabled = false,
	onChoose,
}: {
	label: string;
	values: readonly Option<Value>[];
	chosen: Value;
	isDisabled?: boolean;
	onChoose: (value: Value) => void;
}) {
	return (
		// biome-ignore lint/a11y/useSemanticElements: a fieldset cannot be laid out as a row in every browser.
		<div class="choice" role="group" aria-label={label} onKeyDown={moveFocus}>
			{values.map(({ value, text }) => (
				<button
					key={value}
					type="button"
					data-value={value}
					aria-pressed={value === chosen}
					aria-disabled={isDisabled}
					tabIndex={value === chosen ? 0 : -1}
					onClick={() => {
						if (!isDisabled && value !== chosen) onChoose(value);
					}}
				>
					{text}
				</button>
			))}
		</div>
	);
}

function moveFocus(event: TargetedKeyboardEvent<HTMLDivElement>): void {
	const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
	if (step === undefined) return;
	const buttons = [...event.currentTarget.querySelectorAll("button")];
	const index = buttons.findIndex((one) => one.matches(":focus"));
	buttons.at((index + step) % buttons.length)?.focus();
	event.preventDefault();
}
