// Something that takes a moment and may fail: at most once at a time, with what went wrong the last time.
import { type ReadonlySignal, useSignal } from "@preact/signals";
import { toMessage } from "../api/error.ts";

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
				failure.value = toMessage(error);
			}
			isBusy.value = false;
		},
	};
}
