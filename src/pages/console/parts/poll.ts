// Does something again and again while the page is visible, and at once when it becomes visible again.
import { useEffect } from "preact/hooks";

/** `read` never rejects. Its signal is aborted when the component goes away, or when `inputs` change. */
export function usePolling(
	ms: number,
	read: (ending: AbortSignal) => Promise<void>,
	inputs: readonly unknown[] = [],
): void {
	useEffect(() => startPolling(ms, read), [ms, ...inputs]);
}

/** Returns the function that ends it. */
export function startPolling(
	ms: number,
	read: (ending: AbortSignal) => Promise<void>,
): () => void {
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
		// The next poll waits for this one, so that a slow service does not get more and more of them.
		if (!signal.aborted) timer = setTimeout(poll, ms);
	};
	const pollWhenVisible = () => {
		if (document.visibilityState === "visible") void poll();
	};
	document.addEventListener("visibilitychange", pollWhenVisible, { signal });
	void poll();
	return () => {
		controller.abort();
		clearTimeout(timer);
	};
}
