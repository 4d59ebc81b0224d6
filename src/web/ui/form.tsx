// A form from the description of its fields, alone or in a dialog.
import type { ComponentChildren, ComponentType } from "preact";
import { useState } from "preact/hooks";
import { hasCode, toMessage } from "./api.ts";
import { Button, Dialog, mayDiscard } from "./dialog.tsx";
import { Field, type Fields, type Values } from "./field.tsx";
import { isolate } from "./format.tsx";
import { Failed } from "./resource.tsx";
import { signal } from "./state.ts";
import { say } from "./toasts.tsx";

interface FormProps {
	readonly submit: string;
	readonly fields?: Fields;
	readonly isDangerous?: boolean;
	/** The form shows why it rejects. A text that it returns is a message, which a form with `next` shows only itself. Without it, the form only tells something, and has no Cancel. */
	readonly run?: (values: Values) => unknown;
	/** A second button that clears the first field and keeps the dialog open. Ctrl+Enter presses it. */
	readonly next?: string;
	/** After the work, or after Cancel. */
	readonly onClose?: () => void;
	/** The text of Cancel. */
	readonly cancel?: string;
	/** Only after Cancel. */
	readonly onCancel?: () => void;
	/** Another button, away from the others. */
	readonly other?: ComponentChildren;
	/** Below the fields. */
	readonly text?: string;
	/** Also below the fields. It may change while the form is open. */
	readonly Content?: ComponentType;
}

export function Form({ fields = {}, onClose, ...props }: FormProps) {
	const { cancel = "Cancel", next, Content } = props;
	const [isBusy, setBusy] = useState(false);
	const [failure, setFailure] = useState<string>();
	const [said, setSaid] = useState("");
	const run = async (form: HTMLFormElement, isNext: boolean) => {
		if (isBusy) return;
		setBusy(true);
		setFailure(undefined);
		setSaid("");
		const first = isNext ? form.querySelector("input") : null;
		const sent = first?.value;
		const typed = [...new FormData(form)].map(([name, text]) => [
			name,
			`${text}`,
		]);
		// What is typed before the reply replaces it: it is of the next one.
		first?.focus();
		first?.select();
		const isNextTyped = () => first?.value !== sent;
		try {
			const message = await props.run?.(Object.fromEntries(typed));
			if (!isNextTyped()) delete form.dataset.typed;
			if (first) {
				setSaid(String(message));
				beginAgain(form, fields, Object.fromEntries(typed));
			} else {
				if (typeof message === "string" && !next) say(message);
				onClose?.();
			}
		} catch (error) {
			const message = toMessage(error);
			if (isNextTyped()) setFailure(`“${isolate(sent ?? "")}”: ${message}`);
			// The sign-in dialog says that a session has ended.
			else if (!hasCode(error, "session_ended")) setFailure(message);
		}
		setBusy(false);
	};
	return (
		<form
			class="form"
			aria-busy={isBusy}
			onInput={({ currentTarget }) => {
				currentTarget.dataset.typed = "";
			}}
			onKeyDown={({ key, ctrlKey, metaKey, currentTarget: form }) => {
				if (key !== "Enter" || !(ctrlKey || metaKey)) return;
				form.requestSubmit(form.querySelector<HTMLElement>(nextButton));
			}}
			onSubmit={(event) => {
				event.preventDefault();
				const isNext = event.submitter?.matches(nextButton) ?? false;
				void run(event.currentTarget, isNext);
			}}
		>
			{[...Map.groupBy(Object.entries(fields), ([, { group }]) => group)].map(
				([group, own]) => (
					<fieldset key={group} class={group ? "grid" : "form"}>
						{group && <legend>{group}</legend>}
						{own.map(([name, field]) => (
							<Field key={name} name={name} {...field} />
						))}
					</fieldset>
				),
			)}
			{props.text && <p>{props.text}</p>}
			{Content && <Content />}
			<Failed message={failure} />
			<p class="said" role="status">
				{said}
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
				{onClose && props.run && (
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

/** A value may be “next” too. */
const nextButton = "button[value=next]";

/** For the next one, puts back what was sent and does not stay. What was typed since is of the next one. */
function beginAgain(form: HTMLFormElement, fields: Fields, sent: Values): void {
	for (const own of form.querySelectorAll<HTMLInputElement | HTMLSelectElement>(
		"input, select",
	)) {
		const { value = "", stays } = fields[own.name] ?? {};
		if (!stays && own.value === sent[own.name]) own.value = value;
	}
}

addEventListener("beforeunload", (event) => {
	if (document.querySelector("form[data-typed]")) event.preventDefault();
});

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
