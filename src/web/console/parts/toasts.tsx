// Short messages at the edge of the screen about what was done, some with a button that undoes it.
import { signal } from "@preact/signals";
import { useLayoutEffect, useRef } from "preact/hooks";

/** How long a message is shown that needs no answer. */
const messageMs = 4_000;

interface Toast {
	readonly id: number;
	readonly text: string;
	readonly isFailure?: boolean;
	readonly undo?: Undo | undefined;
}

/** A button, with the time that it can be used. */
interface Undo {
	readonly ms: number;
	readonly run: () => void;
	/** Whether it gets the focus: with the keyboard, the way to it takes longer than the time that it is there. */
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
		/** Returns a function that takes it away. */
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
			// The focus must not be lost with the button.
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
