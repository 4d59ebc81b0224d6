// A form from the description of its fields, alone or in a dialog.
import { signal, useSignal } from "@preact/signals";
import type { ComponentChildren, ComponentType } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { hasCode, toMessage } from "./api.ts";
import { Button, Dialog } from "./dialog.tsx";
import { Field, type Fields, type Values } from "./field.tsx";
import { isolate } from "./format.tsx";
import { Failed } from "./resource.tsx";
import { say } from "./toasts.tsx";
import { forget, mayDiscard, type Place, typed } from "./typed.ts";

interface FormProps {
	readonly submit: string;
	readonly fields?: Fields;
	readonly isDangerous?: boolean;
	/** The form shows why it rejects. A text it returns is a message, with `next` only in the form. Without it: nothing to do, no Cancel. */
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
	/** The page if not given. */
	readonly place?: Place;
}

type State = { isBusy?: true; failure?: string; said?: string };

export function Form({ fields = {}, onClose, ...props }: FormProps) {
	const { cancel = "Cancel", next, Content, place = "page" } = props;
	const state = useSignal<State>({});
	const { isBusy = false, failure, said } = state.value;
	/** The names of the fields that were edited since it was sent. */
	const edited = useRef(new Set<string>()).current;
	useEffect(() => () => forget(place), []);
	/** For the next one, puts back what does not stay. What was edited since is of the next one. */
	const beginAgain = (form: HTMLFormElement) => {
		for (const own of form.querySelectorAll<
			HTMLInputElement | HTMLSelectElement
		>("input, select")) {
			const { value = "", stays } = fields[own.name] ?? {};
			if (!stays && !edited.has(own.name)) own.value = value;
		}
	};
	const run = async (form: HTMLFormElement, isNext: boolean) => {
		if (isBusy) return;
		state.value = { isBusy: true };
		const first = isNext ? form.querySelector("input") : null;
		const sent = first?.value ?? "";
		const values = [...new FormData(form)].map((one) => one.map(String));
		// What is typed before the reply replaces it: it is of the next one.
		first?.focus();
		first?.select();
		edited.clear();
		const isNextTyped = () => isNext && edited.size > 0;
		let outcome: State = {};
		try {
			const message = await props.run?.(Object.fromEntries(values));
			if (!isNextTyped()) forget(place);
			if (isNext) {
				outcome = { said: String(message) };
				beginAgain(form);
			} else {
				if (typeof message === "string" && !next) say(message);
				onClose?.();
			}
		} catch (error) {
			const message = toMessage(error);
			if (isNextTyped())
				outcome = { failure: `“${isolate(sent)}”: ${message}` };
			// The sign-in dialog says that a session has ended.
			else if (!hasCode(error, "session_ended")) outcome = { failure: message };
		}
		state.value = outcome;
	};
	return (
		<form
			class="form"
			aria-busy={isBusy}
			onInput={({ target }) => {
				typed.value = typed.value.union(new Set([place]));
				if (target instanceof Element)
					edited.add(target.getAttribute("name") ?? "");
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
						onClick={() => {
							if (!mayDiscard(place)) return;
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
			<Form {...open} place="dialog" onClose={close} />
		</Dialog>
	);
}
