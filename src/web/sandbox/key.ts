// The key for the control paths, if they need one. This tab stores it, as on the reference page.
import { signal } from "@preact/signals";

export type AccessKey = ReturnType<typeof createKey>;

/** `example` prefills the form. */
export function createKey(isNeeded: boolean, example: string) {
	const stored = sessionStorage.getItem(keyName) ?? undefined;
	/** Undefined while it must be asked for. Empty if none is needed. */
	const current = signal(isNeeded ? stored : "");
	/** Why it is asked for again. */
	const refusal = signal<string | undefined>(undefined);
	return {
		current,
		refusal,
		example,
		enter(key: string): void {
			sessionStorage.setItem(keyName, key);
			refusal.value = undefined;
			current.value = key;
		},
		refuse(message: string): void {
			sessionStorage.removeItem(keyName);
			refusal.value = message;
			current.value = undefined;
		},
	};
}

/** As in browser/key.ts. */
const keyName = "petstore-api-key";
