// A field with its label, its hint and the signal of its value; a button; a checkbox; and a choice among buttons.
import { type Signal, useSignal } from "@preact/signals";
import type {
	ComponentProps,
	TargetedEvent,
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
	/** The values to select from; any text if undefined. */
	readonly options?: readonly Option[];
	readonly kind?: keyof typeof attributes;
	readonly mayBeEmpty?: boolean;
}

export function Field(props: FieldProps) {
	const { label, hint, value, options, kind = "text" } = props;
	const id = useId();
	const hintId = `${id}-hint`;
	const isWrong = useSignal(false);
	const control = {
		id,
		"aria-describedby": hintId,
		value: value.value,
		onInput: ({ currentTarget }: { currentTarget: { value: string } }) => {
			value.value = currentTarget.value;
			isWrong.value = false;
		},
	};
	// Only a number has a pattern.
	const rule =
		value.value === "" ? `${label} cannot be empty.` : "Enter a whole number.";
	return (
		<div class="field">
			<label class="label" for={id}>
				{label}
			</label>
			{options === undefined ? (
				<input
					{...attributes[kind]}
					{...control}
					autocomplete="off"
					required={!props.mayBeEmpty}
					aria-invalid={isWrong.value}
					onInvalid={(event) => {
						isWrong.value = true;
						focusFirst(event);
					}}
				/>
			) : (
				<select {...control}>
					{options.map(({ value, text }) => (
						<option key={value} value={value}>
							{text}
						</option>
					))}
				</select>
			)}
			<span class={isWrong.value ? "wrong" : "hint"} id={hintId}>
				{isWrong.value ? rule : hint}
			</span>
		</div>
	);
}

/** The field shows its own message. The browser's would hide what is below it. */
export function focusFirst(event: TargetedEvent<HTMLInputElement>): void {
	event.preventDefault();
	const { currentTarget } = event;
	const first = currentTarget.form?.querySelector(":invalid");
	if (first === currentTarget) currentTarget.focus();
}

const attributes = {
	text: {},
	secret: { type: "password" },
	int64: { inputMode: "numeric", pattern: "\\s*-?[0-9]{1,19}\\s*" },
} as const;

export function Button(props: ComponentProps<"button">) {
	return <button {...props} type="button" />;
}

export function Check(props: { label: string; value: Signal<boolean> }) {
	const { label, value } = props;
	return (
		<label class="check">
			<input
				type="checkbox"
				checked={value.value}
				onChange={({ currentTarget }) => {
					value.value = currentTarget.checked;
				}}
			/>
			{label}
		</label>
	);
}

interface ChoiceProps<Value extends string> {
	readonly label: string;
	readonly values: readonly Option<Value>[];
	readonly chosen: Value;
	readonly onChoose: (value: Value) => void;
}

/** Shows all values as buttons. The Tab key stops once; the arrow keys move between the buttons. */
export function Choice<Value extends string>(props: ChoiceProps<Value>) {
	const { label, values, chosen, onChoose } = props;
	return (
		// biome-ignore lint/a11y/useSemanticElements: a fieldset cannot be laid out as a row in every browser.
		<div class="choice" role="group" aria-label={label} onKeyDown={moveFocus}>
			{values.map(({ value, text }) => (
				<Button
					key={value}
					data-value={value}
					aria-pressed={value === chosen}
					tabIndex={value === chosen ? 0 : -1}
					onClick={() => {
						if (value !== chosen) onChoose(value);
					}}
				>
					{text}
				</Button>
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
