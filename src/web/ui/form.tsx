// A form from the description of its fields, alone or in a dialog. The browser holds and checks what is typed.

import {
	type ComponentChildren,
	type ComponentType,
	createElement,
	type LooseInputHTMLAttributes,
} from "preact";
import { useId } from "preact/hooks";
import { hasCode, toMessage } from "./api.ts";
import { Button, Dialog, mayDiscard } from "./dialog.tsx";
import { isolate } from "./format.tsx";
import { Failed } from "./resource.tsx";
import { signal, useSignal } from "./state.ts";
import { attempt, say } from "./toasts.tsx";

export interface FieldProps {
	readonly label: string;
	/** The title of the fields with the same one. */
	readonly group?: string;
	readonly hint?: string | undefined;
	readonly value?: string | undefined;
	/** Values and their texts. Any text is allowed without them. */
	readonly options?: readonly Option[] | undefined;
	/** Why the text is wrong; empty if it is not. For rules that the browser does not know. */
	readonly check?: (text: string) => string;
	/** Makes a text right that `check` refuses. */
	readonly make?: (text: string) => Promise<unknown>;
	/** Other attributes of the input. */
	readonly input?: InputAttributes;
}

export interface InputAttributes
	extends LooseInputHTMLAttributes<HTMLInputElement> {
	readonly list?: string;
}

type Option = readonly [value: string, text: string];
export type Fields = Readonly<Record<string, FieldProps>>;
export type Values = Readonly<Record<string, string>>;

interface FormProps {
	readonly submit: string;
	readonly fields?: Fields;
	readonly isDangerous?: boolean;
	/** The form shows why it rejects. A text that it returns is a message. */
	readonly run: (values: Values) => unknown;
	/** A second button that clears the first field and keeps the dialog open. Ctrl+Enter presses it. */
	readonly next?: string;
	/** After the work, or after Cancel. */
	readonly onClose?: () => void;
	/** The text of Cancel; no button if empty. */
	readonly cancel?: string;
	/** Only after Cancel. */
	readonly onCancel?: () => void;
	/** Another button, away from the others. */
	readonly other?: ComponentChildren;
	readonly children?: ComponentChildren;
	/** Below the fields. It may change while the form is open. */
	readonly Content?: ComponentType;
}

export function Form({ fields = {}, onClose, ...props }: FormProps) {
	const { cancel = "Cancel", next, Content } = props;
	const isBusy = useSignal(false);
	const failure = useSignal<string | undefined>(undefined);
	const said = useSignal("");
	const run = async (form: HTMLFormElement, isNext: boolean) => {
		if (isBusy.value) return;
		isBusy.value = true;
		failure.value = undefined;
		said.value = "";
		const typed = [...new FormData(form)].map(
			([name, text]) => [name, String(text)] as const,
		);
		try {
			const message = await props.run(Object.fromEntries(typed));
			delete form.dataset.typed;
			if (isNext) {
				said.value = String(message);
				clearFirst(form);
			} else {
				if (typeof message === "string") say(message);
				onClose?.();
			}
		} catch (error) {
			// The sign-in dialog says that a session has ended.
			if (!hasCode(error, "session_ended")) failure.value = toMessage(error);
		}
		isBusy.value = false;
	};
	return (
		<form
			class="form"
			aria-busy={isBusy.value}
			onInput={({ currentTarget }) => {
				currentTarget.dataset.typed = "";
			}}
			onKeyDown={({ key, ctrlKey, metaKey, currentTarget: form }) => {
				if (key !== "Enter" || !(ctrlKey || metaKey)) return;
				form.requestSubmit(form.querySelector<HTMLElement>("[value=next]"));
			}}
			onSubmit={(event) => {
				event.preventDefault();
				const isNext = event.submitter?.matches("[value=next]") ?? false;
				void run(event.currentTarget, isNext);
			}}
		>
			{props.children}
			{[...Map.groupBy(Object.entries(fields), ([, { group }]) => group)].map(
				([group, own]) => {
					const inputs = own.map(([name, field]) => (
						<Field key={name} name={name} {...field} />
					));
					if (group === undefined) return inputs;
					return (
						<fieldset key={group}>
							<legend>{group}</legend>
							<div class="grid">{inputs}</div>
						</fieldset>
					);
				},
			)}
			{Content && <Content />}
			<Failed message={failure.value} />
			<p class="said" role="status">
				{said.value}
			</p>
			<div class="buttons">
				<button type="submit" class={props.isDangerous ? "danger" : ""}>
					{props.submit}
				</button>
				{next && (
					<button type="submit" value="next" class="minor" title="Ctrl+Enter">
						{next}
					</button>
				)}
				{onClose && cancel && (
					<Button
						class="plain"
						onClick={({ currentTarget: { form } }) => {
							if (!mayDiscard(form?.parentElement ?? null)) return;
							props.onCancel?.();
							onClose();
						}}
					>
						{cancel}
					</Button>
				)}
				{props.other}
			</div>
		</form>
	);
}

/** JSX knows which types of inputs have which attributes, so it refuses attributes that come as data. */
export function Input(props: InputAttributes) {
	return createElement("input", props);
}

function clearFirst(form: HTMLFormElement): void {
	const field = form.querySelector("input");
	if (field === null) return;
	field.value = "";
	field.focus();
}

function Field({ name, label, ...props }: FieldProps & { name: string }) {
	const { hint, value = "", options, check, make, input } = props;
	const id = useId();
	/** What `make` could make right. */
	const unknown = useSignal("");
	const common = { id, name, "aria-describedby": `${id}-hint` };
	const handleInput = (field: HTMLInputElement) => {
		const wrong = field.value && (check?.(field.value) ?? "");
		field.setCustomValidity(wrong);
		unknown.value = wrong && field.value.trim();
	};
	return (
		<div class="field">
			<label for={id}>{label}</label>
			{options === undefined ? (
				<Input
					{...common}
					required
					autocomplete="off"
					defaultValue={value}
					{...input}
					onInput={({ currentTarget }) => handleInput(currentTarget)}
				/>
			) : (
				<select {...common}>
					{options.map(([one, text]) => (
						<option key={one} value={one} selected={one === value}>
							{text}
						</option>
					))}
				</select>
			)}
			{make && unknown.value && (
				<Button
					class="minor"
					onClick={async ({ currentTarget: { form } }) => {
						const field = form?.elements.namedItem(name);
						if (!(field instanceof HTMLInputElement)) return;
						const text = unknown.value;
						if (await attempt("Could not create it.", () => make(text)))
							handleInput(field);
						field.focus();
					}}
				>
					Create “{isolate(unknown.value)}”
				</Button>
			)}
			<span class="hint" id={`${id}-hint`}>
				{hint}
			</span>
		</div>
	);
}

/** Input attributes for the digits of an int64. */
export const int64 = {
	inputMode: "numeric",
	pattern: "\\s*-?\\d{1,19}\\s*",
	title: "A whole number",
} as const;

export interface Asked extends Omit<FormProps, "onClose"> {
	readonly title: string;
	readonly mustBeAnswered?: boolean;
}

const asked = signal<Asked | undefined>(undefined);

/** Opens a dialog with this form. It closes when the work is done, unless the work has opened another. */
export function ask(form: Asked): void {
	asked.value = form;
}

/** Buttons that open these forms. `of` says to screen readers what they are about. */
export function Actions(props: { of: string; forms: readonly Asked[] }) {
	return (
		<>
			{props.forms.map((form) => (
				<Button
					key={form.submit}
					class="plain"
					aria-label={`${form.submit} ${props.of}`}
					onClick={() => ask(form)}
				>
					{form.submit}
				</Button>
			))}
		</>
	);
}

/** Where the page shows the open dialog. */
export function AskedDialog() {
	const open = asked.value;
	if (open === undefined) return null;
	const close = () => {
		if (asked.value === open) asked.value = undefined;
	};
	const { title, mustBeAnswered } = open;
	return (
		<Dialog key={title} title={title} onClose={mustBeAnswered ? null : close}>
			<Form {...open} onClose={close} />
		</Dialog>
	);
}
