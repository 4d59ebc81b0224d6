// Something that takes a moment and may fail: at most once at a time, with what went wrong the last time.
import { type ReadonlySignal, useSignal } from "@preact/signals";
import { hasCode, toMessage } from "../api/error.ts";

export interface Action {
	readonly isBusy: ReadonlySignal<boolean>;
	readonly failure: ReadonlySignal<string | undefined>;
	readonly run: (action: () => Promise<void>) => Promise<void>;
}

export function useAction(): Action {
	const isBusy = useSignal(false);
	const failure = useSignal<string | undefined>(undefined);
	return {
		isBusy,
		failure,
		async run(action) {
			if (isBusy.peek()) return;
			isBusy.value = true;
			failure.value = undefined;
			try {
				await action();
			} catch (error) {
				// The dialog that signs in again says so, and the reader then repeats the action.
				if (!hasCode(error, "session_ended")) failure.value = toMessage(error);
			}
			isBusy.value = false;
		},
	};
}
