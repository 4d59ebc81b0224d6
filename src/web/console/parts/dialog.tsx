// A modal dialog, and a form with its fields, its error and its buttons.
import { useSignal } from "@preact/signals";
import type { ComponentChildren } from "preact";
import { useEffect, useId, useLayoutEffect, useRef } from "preact/hooks";
import { hasCode, toMessage } from "../api/error.ts";
import { Button } from "./fields.tsx";
import { Failed } from "./poll.tsx";

interface DialogProps {
	readonly title: string;
	/** Undefined for a dialog that must be answered. */
	readonly onClose?: () => void;
	readonly children: ComponentChildren;
}

/** The browser keeps the focus inside, and restores it when the dialog closes. */
export function Dialog({ title, onClose, children }: DialogProps) {
	const dialog = useRef<HTMLDialogElement>(null);
	const titleId = useId();
	useLayoutEffect(() => {
		dialog.current?.showModal();
		// Otherwise the button that closes the dialog gets the focus.
		dialog.current
			?.querySelector<HTMLElement>("input, select")
			?.focus({ preventScroll: true });
		return () => dialog.current?.close();
	}, []);
	const mustBeAnswered = onClose === undefined;
	useEffect(
		() => (mustBeAnswered ? ignoreEscape() : undefined),
		[mustBeAnswered],
	);
	return (
		<dialog
			ref={dialog}
			aria-labelledby={titleId}
			closedby={mustBeAnswered ? "none" : undefined}
			onCancel={(event) => {
				// The state opens and closes dialogs, not the browser.
				event.preventDefault();
				onClose?.();
			}}
			// A browser may close it anyway. If the component still exists, our own code did not close it.
			onClose={() => {
				if (mustBeAnswered) dialog.current?.showModal();
				else if (dialog.current !== null) onClose();
			}}
		>
			<div class="dialog-head">
				<h2 id={titleId}>{title}</h2>
				{onClose && (
					<Button class="icon" aria-label="Close" onClick={onClose}>
						<svg viewBox="0 0 16 16" aria-hidden="true">
							<path d="M3.5 3.5l9 9m0-9l-9 9" />
						</svg>
					</Button>
				)}
			</div>
			{children}
		</dialog>
	);
}

/** Otherwise Chromium closes the dialog below, or this one at the third Escape. Returns a function that ends it. */
function ignoreEscape(): () => void {
	const ignore = (event: KeyboardEvent) => {
		if (event.key === "Escape") event.preventDefault();
	};
	addEventListener("keydown", ignore, { capture: true });
	return () => removeEventListener("keydown", ignore, { capture: true });
}

interface FormProps {
	readonly submit: string;
	/** Runs once at a time. The form shows a rejection. */
	readonly onSubmit: () => Promise<unknown>;
	readonly onCancel?: () => void;
	readonly cancel?: string;
	readonly isDangerous?: boolean;
	/** Shown until an attempt fails. */
	readonly notice?: string | undefined;
	readonly children: ComponentChildren;
}

export function FormDialog(
	props: FormProps & { title: string; onClose: () => void },
) {
	return (
		<Dialog title={props.title} onClose={props.onClose}>
			<Form {...props} onCancel={props.onClose} />
		</Dialog>
	);
}

export function Form(props: FormProps) {
	const { submit, onSubmit, onCancel, cancel = "Cancel", notice } = props;
	const isBusy = useSignal(false);
	const failure = useSignal<string | undefined>(undefined);
	const run = async () => {
		if (isBusy.peek()) return;
		isBusy.value = true;
		failure.value = undefined;
		try {
			await onSubmit();
		} catch (error) {
			// The sign-in dialog says so, and the user then repeats the action.
			if (!hasCode(error, "session_ended")) failure.value = toMessage(error);
		}
		isBusy.value = false;
	};
	return (
		<form
			class="form"
			aria-busy={isBusy.value}
			onSubmit={(event) => {
				event.preventDefault();
				void run();
			}}
		>
			{notice !== undefined && failure.value === undefined && (
				<p class="notice">{notice}</p>
			)}
			{props.children}
			<Failed message={failure.value} />
			<div class="buttons">
				<button type="submit" class={props.isDangerous ? "danger" : ""}>
					{submit}
				</button>
				{onCancel && (
					<Button class="plain" onClick={onCancel}>
						{cancel}
					</Button>
				)}
			</div>
		</form>
	);
}
