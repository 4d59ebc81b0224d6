// What a client does again and again.

/** Begins at once. Returns what stops it, which resolves after the last time. */
export function loop(work: () => Promise<unknown>): () => Promise<void> {
	let running = true;
	const finished = (async () => {
		while (running) await work();
	})();
	return () => {
		running = false;
		return finished;
	};
}
