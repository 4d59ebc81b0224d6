// A modal dialog, a drawer beside the view, and a form with its fields, its error and its buttons.
import { useSignal } from "@preact/signals";
import type { ComponentChildren } from "preact";
import { useId, useLayoutEffect, useRef } from "preact/hooks";
import { Button } from "./fields.tsx";
import { attempt, Failed } from "./poll.tsx";

interface DialogProps {
	readonly title: string;
	/** A drawer leaves the rest of the page usable. */
	readonly isDrawer?: boolean;
	/** Undefined for a dialog that must be answered. */
	readonly onClose?: () => void;
	readonly children: ComponentChildren;
}

/** The browser restores the focus when the dialog closes, and keeps it inside a modal one. */
export function Dialog(props: DialogProps) {
	const { title, isDrawer = false, onClose, children } = props;
	const dialog = useRef<HTMLDialogElement>(null);
	const titleId = useId();
	useLayoutEffect(() => {
		if (isDrawer) dialog.current?.show();
		else dialog.current?.showModal();
		// Otherwise the close button gets the focus. In a drawer, a field would open a phone's keyboard.
		dialog.current
			?.querySelector<HTMLElement>(isDrawer ? "h2" : "input, select")
			?.focus({ preventScroll: true });
		return () => dialog.current?.close();
	}, []);
	const leave = () => {
		if (canLeave(dialog.current)) onClose?.();
	};
	return (
		<dialog
			ref={dialog}
			aria-labelledby={titleId}
			class={isDrawer ? "drawer" : undefined}
			onInput={({ currentTarget }) => {
				currentTarget.dataset.isTyped = "";
			}}
			onKeyDown={(event) => {
				if (event.key !== "Escape") return;
				if (isDrawer) leave();
				// Chromium does not always let a page prevent the cancel event.
				else if (onClose === undefined) event.preventDefault();
			}}
			onCancel={(event) => {
				// The event of a closed file picker comes here too.
				if (event.target !== event.currentTarget) return;
				// The state opens and closes dialogs, not the browser.
				event.preventDefault();
				leave();
			}}
			// A browser may close it anyway. If the component still exists, our own code did not close it.
			onClose={() => {
				if (onClose === undefined) dialog.current?.showModal();
				else if (dialog.current !== null) onClose();
			}}
		>
			<div class="dialog-head">
				<h2 id={titleId} tabIndex={-1}>
					{title}
				</h2>
				{onClose && (
					<CloseButton label="Close" onClick={isDrawer ? leave : onClose} />
				)}
			</div>
			{/* The style shows it after an attempt to leave. */}
			{isDrawer && (
				<div class="notice unsaved" role="alert">
					<p id={`${titleId}-unsaved`}>Save your changes, or discard them.</p>
					<Button
						class="minor"
						aria-describedby={`${titleId}-unsaved`}
						onClick={onClose}
					>
						Discard
					</Button>
				</div>
			)}
			{children}
		</dialog>
	);
}

export function CloseButton(props: { label: string; onClick: () => void }) {
	return (
		<Button class="icon" aria-label={props.label} onClick={props.onClick}>
			<svg viewBox="0 0 16 16" aria-hidden="true">
				<path d="M3.5 3.5l9 9m0-9l-9 9" />
			</svg>
		</Button>
	);
}

/** Whether the dialog has no unsaved input. Otherwise focuses the button that discards it; a drawer says why. */
function canLeave(dialog: HTMLElement | null): boolean {
	if (dialog?.dataset.isTyped === undefined) return true;
	dialog.dataset.isAsking = "";
	const discards = dialog.matches(".drawer") ? ".unsaved button" : ".icon";
	dialog.querySelector<HTMLElement>(discards)?.focus();
	return false;
}

export function canLeaveDrawer(): boolean {
	return canLeave(document.querySelector<HTMLElement>(".drawer"));
}

interface FormProps {
	readonly submit: string;
	/** Runs once at a time. The form shows a rejection. */
	readonly onSubmit: () => Promise<unknown>;
	readonly onCancel?: () => void;
	readonly cancel?: string;
	readonly isDangerous?: boolean;
	/** Another button, away from the others. */
	readonly other?: ComponentChildren;
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
		await attempt(failure, undefined, async () => {
			await onSubmit();
		});
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
				{props.other}
			</div>
		</form>
	);
}
