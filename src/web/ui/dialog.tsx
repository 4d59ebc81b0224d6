// A modal dialog, a drawer beside the view, and buttons.
import type { ComponentChildren, ComponentProps } from "preact";
import { useId, useLayoutEffect, useRef } from "preact/hooks";
import { mayDiscard } from "./typed.ts";

export function Button(props: ComponentProps<"button">) {
	return <button {...props} type="button" />;
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

/** For when the element with the focus is gone. */
export function focusHeading(): void {
	const heading = document.querySelector<HTMLElement>("main h1");
	heading?.focus({ preventScroll: true });
}

/** What is open over the page: modal dialogs, and `menu`. */
export const open = new Set<string>();

interface DialogProps {
	readonly title: string;
	/** A drawer leaves the rest of the page usable. */
	readonly isDrawer?: boolean;
	/** Null for a dialog that must be answered. */
	readonly onClose: (() => void) | null;
	readonly children: ComponentChildren;
}

/** The browser restores the focus when the dialog closes, and keeps it inside a modal one. */
export function Dialog({ title, isDrawer, onClose, children }: DialogProps) {
	const dialog = useRef<HTMLDialogElement>(null);
	const titleId = useId();
	useLayoutEffect(() => {
		// The focus may be beside the drawer.
		const handleKey = (event: KeyboardEvent) => {
			const isFree = open.size === 0 && !event.defaultPrevented;
			if (event.key === "Escape" && isFree) leave();
		};
		if (isDrawer) addEventListener("keydown", handleKey);
		else open.add(titleId);
		if (isDrawer) dialog.current?.show();
		else dialog.current?.showModal();
		// Otherwise the close button gets the focus. In a drawer, a field would open a phone's keyboard.
		dialog.current
			?.querySelector<HTMLElement>(isDrawer ? "h2" : "input, select")
			?.focus({ preventScroll: true });
		return () => {
			removeEventListener("keydown", handleKey);
			open.delete(titleId);
			dialog.current?.close();
			// The button that opened it may be gone.
			if (!dialog.current?.contains(document.activeElement)) return;
			const undo = document.querySelector<HTMLElement>(".toast button");
			if (undo) undo.focus();
			else focusHeading();
		};
	}, []);
	const leave = () => {
		if (mayDiscard(isDrawer ? "drawer" : "dialog")) onClose?.();
	};
	return (
		<dialog
			ref={dialog}
			aria-labelledby={titleId}
			class={isDrawer ? "drawer" : undefined}
			onKeyDown={(event) => {
				// Chromium does not always let a page prevent the cancel event.
				if (event.key === "Escape" && onClose === null) event.preventDefault();
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
				if (onClose === null) dialog.current?.showModal();
				else if (dialog.current !== null) onClose();
			}}
		>
			<div class="head">
				<h2 id={titleId} tabIndex={-1}>
					{title}
				</h2>
				{onClose && <CloseButton label="Close" onClick={leave} />}
			</div>
			{children}
		</dialog>
	);
}
