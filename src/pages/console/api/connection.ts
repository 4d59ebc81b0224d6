// Whether the service answers. While it does not, the page says so, and reads wait for their next attempt.
import { type ReadonlySignal, signal } from "@preact/signals";
import { hasCode, toMessage } from "./error.ts";

export interface Trouble {
	readonly kind: "no connection" | "unavailable";
	readonly message: string;
}

export interface Connection {
	/** Undefined while the service answers. */
	readonly trouble: ReadonlySignal<Trouble | undefined>;
	readonly fail: (error: unknown) => void;
	readonly succeed: () => void;
	/** Waits before another attempt: longer after each failure, until `retry` is called. Rejects when the signal is aborted. */
	readonly wait: (failures: number, ending?: AbortSignal) => Promise<void>;
	/** Makes everything that waits try at once. */
	readonly retry: () => void;
}

export function createConnection(): Connection {
	const trouble = signal<Trouble | undefined>(undefined);
	const waiting = new Set<() => void>();
	const retry = () => {
		for (const wake of waiting) wake();
	};
	return {
		trouble,
		retry,
		fail: (error) => {
			trouble.value = toTrouble(error);
		},
		succeed: () => {
			trouble.value = undefined;
		},
		wait: (failures, ending) =>
			new Promise((resolve, reject) => {
				const end = () => {
					clearTimeout(timer);
					waiting.delete(end);
					ending?.removeEventListener("abort", end);
					if (ending?.aborted) reject(ending.reason);
					else resolve();
				};
				const timer = setTimeout(end, toDelay(failures));
				waiting.add(end);
				ending?.addEventListener("abort", end);
			}),
	};
}

function toTrouble(error: unknown): Trouble {
	return hasCode(error, "network")
		? { kind: "no connection", message: "The service does not answer." }
		: { kind: "unavailable", message: toMessage(error) };
}

/** Twice as long after each failure, up to the longest. */
function toDelay(failures: number): number {
	return Math.min(1_000 * 2 ** failures, 8_000);
}
