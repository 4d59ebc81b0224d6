// Waiting where nothing else may run meanwhile.

/** Stops the whole thread for this long. */
export function sleepThread(ms: number): void {
	Atomics.wait(neverNotified, 0, 0, ms);
}

const neverNotified = new Int32Array(new SharedArrayBuffer(4));
