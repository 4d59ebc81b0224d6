// What the service says, asked for again and again while it is shown.
import { type Signal, useSignal } from "@preact/signals";
import { hasCode, toMessage } from "../api/error.ts";
import { usePolling } from "../parts/poll.ts";

export interface Polled<Value> {
	/** Undefined until the first answer. */
	readonly found: Signal<Value | undefined>;
	/** Why the last request failed. */
	readonly failure: Signal<string | undefined>;
}

export function usePolled<Value>(
	ms: number,
	read: (ending: AbortSignal) => Promise<Value>,
): Polled<Value> {
	const found = useSignal<Value | undefined>(undefined);
	const failure = useSignal<string | undefined>(undefined);
	usePolling(ms, async (ending) => {
		try {
			found.value = await read(ending);
			failure.value = undefined;
		} catch (error) {
			// The dialog that signs in again says that a session has ended.
			if (!ending.aborted && !hasCode(error, "session_ended"))
				failure.value = toMessage(error);
		}
	});
	return { found, failure };
}
