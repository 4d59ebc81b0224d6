// Short messages at the edge of the screen, some with an Undo button.
import { signal } from "@preact/signals";
import { useLayoutEffect, useRef } from "preact/hooks";

/** How long a message without a button stays. */
const messageMs = 4_000;

interface Toast {
	readonly id: number;
	readonly text: string;
	readonly isFailure?: boolean;
	readonly undo?: Undo | undefined;
}

/** The button, and how long it stays. */
interface Undo {
	readonly ms: number;
	readonly run: () => void;
	/** Whether it gets the focus. By keyboard, a user would reach it too late. */
	readonly takesFocus: boolean;
}

export type Toasts = ReturnType<typeof createToasts>;

export function createToasts() {
	const shown = signal<readonly Toast[]>([]);
	let lastId = 0;
	const close = (id: number) => {
		shown.value = shown.peek().filter((other) => other.id !== id);
	};
	const add = (toast: Omit<Toast, "id">) => {
		const id = ++lastId;
		shown.value = [...shown.peek(), { ...toast, id }];
		return id;
	};
	return {
		shown,
		close,
		/** Returns a function that removes it. */
		show(text: string, undo?: Undo): () => void {
			const id = add({ text, undo });
			if (undo === undefined) setTimeout(close, messageMs, id);
			return () => close(id);
		},
		fail(text: string): void {
			add({ text, isFailure: true });
		},
	};
}

export function ToastList({ toasts }: { toasts: Toasts }) {
	return (
		<div class="toasts" role="status">
			{toasts.shown.value.map(({ id, text, isFailure, undo }) => (
				<div key={id} class={isFailure ? "toast failure" : "toast"}>
					<p>{text}</p>
					{undo && <UndoButton undo={undo} />}
					{isFailure && (
						<button type="button" onClick={() => toasts.close(id)}>
							Close
						</button>
					)}
					{undo && (
						<span
							class="countdown"
							style={{ animationDuration: `${undo.ms}ms` }}
						/>
					)}
				</div>
			))}
		</div>
	);
}

function UndoButton({ undo }: { undo: Undo }) {
	const button = useRef<HTMLButtonElement>(null);
	useLayoutEffect(() => {
		const own = button.current;
		if (undo.takesFocus) own?.focus();
		return () => {
			// The button must not take the focus with it.
			if (own?.matches(":focus"))
				document.querySelector<HTMLElement>("main h1")?.focus();
		};
	}, [undo]);
	return (
		<button ref={button} type="button" onClick={undo.run}>
			Undo
		</button>
	);
}
