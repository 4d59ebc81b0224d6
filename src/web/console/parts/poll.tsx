// Polls while the page is visible, and shows “Loading …” or the error.
import { type Signal, useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { hasCode, toMessage } from "../api/error.ts";

/** Polls at once when the page becomes visible. `read` never rejects. Its signal is aborted when the component ends or `inputs` change. */
export function usePolling(
	ms: number,
	read: (ending: AbortSignal) => Promise<void>,
	inputs: readonly unknown[] = [],
): void {
	useEffect(() => {
		const controller = new AbortController();
		const { signal } = controller;
		let timer: ReturnType<typeof setTimeout> | undefined;
		let isReading = false;
		const poll = async () => {
			if (isReading) return;
			isReading = true;
			clearTimeout(timer);
			if (document.visibilityState === "visible") await read(signal);
			isReading = false;
			// The next poll waits for this one, so that polls do not pile up on a slow service.
			if (!signal.aborted) timer = setTimeout(poll, ms);
		};
		document.addEventListener("visibilitychange", poll, { signal });
		void poll();
		return () => {
			controller.abort();
			clearTimeout(timer);
		};
	}, [ms, ...inputs]);
}

/** The last result of `read`, and the error of the last request. */
export function usePolled<Value>(
	ms: number,
	read: (ending: AbortSignal) => Promise<Value>,
	inputs?: readonly unknown[],
) {
	const found = useSignal<Value | undefined>(undefined);
	const failure = useSignal<string | undefined>(undefined);
	const poll = (ending: AbortSignal) =>
		attempt(failure, ending, async () => {
			found.value = await read(ending);
		});
	usePolling(ms, poll, inputs);
	return { found, failure };
}

export async function attempt(
	failure: Signal<string | undefined>,
	ending: AbortSignal | undefined,
	action: () => Promise<void>,
): Promise<void> {
	try {
		await action();
		failure.value = undefined;
	} catch (error) {
		// The sign-in dialog says that a session has ended.
		if (!ending?.aborted && !hasCode(error, "session_ended"))
			failure.value = toMessage(error);
	}
}

/** Screen readers say it at once. */
export function Failed({ message }: { message: string | undefined }) {
	if (message === undefined) return null;
	return (
		<p class="failed" role="alert">
			{message}
		</p>
	);
}

export function Waiting({ for: awaited }: { for: unknown }) {
	return awaited === undefined ? <p class="waiting">Loading …</p> : null;
}
