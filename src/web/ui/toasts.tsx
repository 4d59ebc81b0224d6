// A message at the lower edge of the screen: what was done, often with Undo, or what failed.
import { signal } from "@preact/signals";
import type { ComponentChildren } from "preact";
import { useLayoutEffect, useRef } from "preact/hooks";
import { base } from "../browser/base.ts";
import { access, hasCode, send, toMessage } from "./api.ts";
import { Button, CloseButton, focusHeading } from "./dialog.tsx";

/** How long a message without a button stays. */
const messageMs = 4_000;

interface Toast {
	readonly text: string;
	readonly isFailure?: boolean;
	readonly undo?: (() => unknown) | undefined;
	/** Whether Undo gets the focus, since the element that had it is gone. */
	readonly takesFocus?: boolean;
}

const shown = signal<Toast | undefined>(undefined);

/** Replaces the previous message. With Undo, it stays until the next one. */
export function say(text: string, undo?: Toast["undo"]): void {
	// The focus is nowhere, or on a button that goes with what was done.
	const takesFocus = document.activeElement?.matches(
		"body, .selection *, .remove",
	);
	const toast = { text, undo, takesFocus: takesFocus ?? true };
	shown.value = toast;
	const end = () => {
		if (shown.value === toast) shown.value = undefined;
	};
	if (undo === undefined) setTimeout(end, messageMs);
}

/** Shows a failure until it is closed. Returns whether the action succeeded. */
export async function attempt(
	refusal: string,
	action: () => Promise<unknown>,
): Promise<boolean> {
	try {
		await action();
		return true;
	} catch (error) {
		// The sign-in dialog says that a session has ended.
		if (!hasCode(error, "session_ended"))
			shown.value = { text: `${refusal} ${toMessage(error)}`, isFailure: true };
		return false;
	}
}

/** A link to a file. First asks whether the service sends it: a browser would show a refusal in place of the page. */
export function Download(props: {
	path: string;
	label?: string;
	children: ComponentChildren;
}) {
	const { path, label, children } = props;
	const href = base + access.prefix + path;
	return (
		<a
			href={href}
			aria-label={label}
			onClick={async (event) => {
				event.preventDefault();
				event.currentTarget.closest<HTMLElement>("[popover]")?.hidePopover();
				const ask = () => send("HEAD", path);
				if (!(await attempt("Could not download the file.", ask))) return;
				// Not `location`: the browser would ask whether to leave what was typed.
				const link = document.createElement("a");
				Object.assign(link, { href, download: "" }).click();
			}}
		>
			{children}
		</a>
	);
}

export function Toasts() {
	return (
		<div class="toasts" role="status">
			{shown.value && <Message key={shown.value} {...shown.value} />}
		</div>
	);
}

function Message({ text, isFailure, undo, takesFocus }: Toast) {
	const button = useRef<HTMLButtonElement>(null);
	useLayoutEffect(() => {
		if (takesFocus) button.current?.focus();
	}, []);
	const close = () => {
		shown.value = undefined;
		// The focus must not vanish with the button.
		focusHeading();
	};
	return (
		<div class={isFailure ? "toast failure" : "toast"}>
			<p id="done">{text}</p>
			{undo && (
				<Button
					ref={button}
					class="minor"
					aria-describedby="done"
					onClick={() => {
						close();
						void undo();
					}}
				>
					Undo
				</Button>
			)}
			{(isFailure || undo) && (
				<CloseButton label="Close the message" onClick={close} />
			)}
		</div>
	);
}
