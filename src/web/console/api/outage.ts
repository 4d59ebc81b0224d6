// Whether the service answers. While it does not, the page says so, and reads wait for their next attempt.
import { signal } from "@preact/signals";
import { hasCode, toMessage } from "./error.ts";

interface Trouble {
	readonly kind: "no connection" | "unavailable";
	readonly message: string;
}

export type Connection = ReturnType<typeof createConnection>;

export function createConnection() {
	/** Undefined while the service answers. */
	const trouble = signal<Trouble | undefined>(undefined);
	const waiting = new Set<() => void>();
	return {
		trouble,
		fail(error: unknown): void {
			trouble.value = toTrouble(error);
		},
		succeed(): void {
			trouble.value = undefined;
		},
		/** Waits before another attempt: longer after each failure, until `retry` is called. Rejects when the signal is aborted. */
		wait: (failures: number, ending?: AbortSignal) =>
			until(ending, (end) => {
				const timer = setTimeout(end, toDelay(failures));
				waiting.add(end);
				return () => {
					clearTimeout(timer);
					waiting.delete(end);
				};
			}),
		/** Makes everything that waits try at once. */
		retry(): void {
			for (const end of waiting) end();
		},
	};
}

/** Resolves when `begin` calls what it is given, and rejects when the signal is aborted. `begin` returns what cleans up. */
export function until(
	ending: AbortSignal | undefined,
	begin: (end: () => void) => () => void,
): Promise<void> {
	return new Promise((resolve, reject) => {
		const end = () => {
			stop();
			ending?.removeEventListener("abort", end);
			if (ending?.aborted) reject(ending.reason);
			else resolve();
		};
		const stop = begin(end);
		ending?.addEventListener("abort", end);
	});
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
