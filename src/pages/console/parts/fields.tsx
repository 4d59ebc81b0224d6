// Fields of forms, each with its label, its hint and a signal that has its value; buttons, and a choice among them.
import type { Signal } from "@preact/signals";
import type {
	ComponentChildren,
	ComponentProps,
	TargetedKeyboardEvent,
} from "preact";
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
	readonly options: readonly Option[];
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
