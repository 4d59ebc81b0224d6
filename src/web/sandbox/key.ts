// The key for the control paths, where they need one. It is stored for this tab only, as the reference page does it.
import { type ReadonlySignal, signal } from "@preact/signals";

export interface AccessKey {
	/** Undefined while it must be asked for. Empty if none is needed. */
	readonly value: ReadonlySignal<string | undefined>;
	/** Filled in where the key is asked for. */
	readonly example: string;
	/** Why it is asked for again. */
	readonly refusal: ReadonlySignal<string | undefined>;
	readonly enter: (key: string) => void;
	readonly refuse: (message: string) => void;
}

export function createKey(options: {
	isNeeded: boolean;
	exampleKey: string;
}): AccessKey {
	const stored = sessionStorage.getItem(keyName) ?? undefined;
	const value = signal(options.isNeeded ? stored : "");
	const refusal = signal<string | undefined>(undefined);
	return {
		...{ value, refusal, example: options.exampleKey },
		enter(key) {
			sessionStorage.setItem(keyName, key);
			refusal.value = undefined;
			value.value = key;
		},
		refuse(message) {
			sessionStorage.removeItem(keyName);
			refusal.value = message;
			value.value = undefined;
		},
	};
}

/** That of browser/key.ts. */
const keyName = "petstore-api-key";
