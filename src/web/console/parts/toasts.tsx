// Messages at the lower edge of the screen, some with an Undo button.
import { signal } from "@preact/signals";
import { useLayoutEffect, useRef } from "preact/hooks";
import { hasCode, toMessage } from "../api/error.ts";
import { CloseButton } from "./dialog.tsx";
import { Button } from "./fields.tsx";

/** How long a message without a button stays. */
const messageMs = 4_000;

interface Toast {
	readonly id: number;
	readonly text: string;
	readonly isFailure?: boolean;
	readonly undo?: (() => Promise<void>) | undefined;
	/** Whether the button gets the focus, since the element that had it is gone. */
	readonly takesFocus?: boolean;
}

export type Toasts = ReturnType<typeof createToasts>;

export function createToasts() {
	const shown = signal<readonly Toast[]>([]);
	let lastId = 0;
	const close = (id: number) => {
		shown.value = shown.peek().filter((other) => other.id !== id);
	};
	/** Stays until it is closed. */
	const fail = (text: string) => {
		shown.value = [...shown.peek(), { id: ++lastId, text, isFailure: true }];
	};
	return {
		shown,
		close,
		fail,
		/** Replaces the previous message. With a button, it stays until the next one. */
		show(text: string, undo?: Toast["undo"], takesFocus = false): void {
			const id = ++lastId;
			const failures = shown.peek().filter(({ isFailure }) => isFailure);
			shown.value = [...failures, { id, text, undo, takesFocus }];
			if (undo === undefined) setTimeout(close, messageMs, id);
		},
		/** Returns whether it succeeded. */
		async attempt(
			refusal: string,
			action: () => Promise<unknown>,
		): Promise<boolean> {
			try {
				await action();
				return true;
			} catch (error) {
				// The sign-in dialog says that a session has ended.
				if (!hasCode(error, "session_ended"))
					fail(`${refusal} ${toMessage(error)}`);
				return false;
			}
		},
	};
}

export function ToastList({ toasts }: { toasts: Toasts }) {
	return (
		<div class="toasts" role="status">
			{toasts.shown.value.map((toast) => (
				<Message key={toast.id} toast={toast} onClose={toasts.close} />
			))}
		</div>
	);
}

function Message(props: { toast: Toast; onClose: (id: number) => void }) {
	const { id, text, isFailure, undo, takesFocus } = props.toast;
	const undoButton = useRef<HTMLButtonElement>(null);
	useLayoutEffect(() => {
		const own = undoButton.current;
		if (takesFocus) own?.focus();
		return () => {
			// The focus must not vanish with the button.
			if (own?.matches(":focus"))
				document
					.querySelector<HTMLElement>("main h1")
					?.focus({ preventScroll: true });
		};
	}, []);
	const close = () => props.onClose(id);
	return (
		<div class={isFailure ? "toast failure" : "toast"}>
			<p>{text}</p>
			{undo && (
				<Button
					ref={undoButton}
					class="minor"
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
