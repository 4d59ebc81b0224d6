// Messages at the lower edge of the screen, some with Undo.

import { useLayoutEffect, useRef } from "preact/hooks";
import { hasCode, toMessage } from "./api.ts";
import { Button, CloseButton } from "./dialog.tsx";
import { signal } from "./state.ts";

/** How long a message without a button stays. */
const messageMs = 4_000;

interface Toast {
	readonly id: number;
	readonly text: string;
	readonly isFailure?: boolean;
	readonly undo?: (() => unknown) | undefined;
	/** Whether Undo gets the focus, since the element that had it is gone. */
	readonly takesFocus?: boolean;
}

const shown = signal<readonly Toast[]>([]);
let lastId = 0;

function close(id: number): void {
	shown.value = shown.value.filter((other) => other.id !== id);
}

/** Replaces the previous message. With Undo, it stays until the next one. */
export function say(
	text: string,
	undo?: Toast["undo"],
	takesFocus = hasLostFocus(),
): void {
	const id = ++lastId;
	const failures = shown.value.filter(({ isFailure }) => isFailure);
	shown.value = [...failures, { id, text, undo, takesFocus }];
	if (undo === undefined) setTimeout(close, messageMs, id);
}

/** Whether the element with the focus is gone, or goes with the selection. */
function hasLostFocus(): boolean {
	return document.activeElement?.matches("body, .selection *") ?? true;
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
		const text = `${refusal} ${toMessage(error)}`;
		// The sign-in dialog says that a session has ended.
		if (!hasCode(error, "session_ended"))
			shown.value = [...shown.value, { id: ++lastId, text, isFailure: true }];
		return false;
	}
}

export function Toasts() {
	return (
		<div class="toasts" role="status">
			{shown.value.map((toast) => (
				<Message key={toast.id} {...toast} />
			))}
		</div>
	);
}

function Message({ id, text, isFailure, undo, takesFocus }: Toast) {
	const button = useRef<HTMLButtonElement>(null);
	useLayoutEffect(() => {
		const own = button.current;
		if (takesFocus) own?.focus();
		return () => {
			// The focus must not vanish with the button.
			if (own?.matches(":focus"))
				document
					.querySelector<HTMLElement>("main h1")
					?.focus({ preventScroll: true });
		};
	}, []);
	return (
		<div class={isFailure ? "toast failure" : "toast"}>
			<p>{text}</p>
			{undo && (
				<Button
					ref={button}
					class="minor"
					onClick={() => {
						close(id);
						void undo();
					}}
				>
					Undo
				</Button>
			)}
			{(isFailure || undo) && (
				<CloseButton label="Close the message" onClick={() => close(id)} />
			)}
		</div>
	);
}
