// A modal dialog. The browser keeps the focus inside, and gives it back when the dialog is closed.
import type { ComponentChildren } from "preact";
import { useEffect, useId, useLayoutEffect, useRef } from "preact/hooks";
import { Button } from "./fields.tsx";

export function Dialog({
	title,
	onClose,
	children,
}: {
	title: string;
	/** Undefined for a dialog that must be answered. */
	onClose?: () => void;
	children: ComponentChildren;
}) {
	const dialog = useRef<HTMLDialogElement>(null);
	const titleId = useId();
	useLayoutEffect(() => {
		dialog.current?.showModal();
		// Else the button that closes the dialog has the focus.
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
				// The state decides what is shown, not the browser.
				event.preventDefault();
				onClose?.();
			}}
			// A browser may close it all the same. If its component is still there, it was not our own code.
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

/** Wherever the focus is: Chromium would close the dialog below, or this one at the third time. Returns the function that ends it. */
function ignoreEscape(): () => void {
	const ignore = (event: KeyboardEvent) => {
		if (event.key === "Escape") event.preventDefault();
	};
	addEventListener("keydown", ignore, { capture: true });
	return () => removeEventListener("keydown", ignore, { capture: true });
}
