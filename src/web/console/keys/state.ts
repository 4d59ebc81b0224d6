// The keys, and the open dialog.
import { signal } from "@preact/signals";
import type { Connection } from "../api/connection.ts";
import type { Key, Keys, MadeKey } from "../api/keys.ts";
import { attempt } from "../parts/poll.tsx";

export type KeyChange = "change" | "revoke";

type OpenDialog =
	| { readonly kind: "make" }
	| { readonly kind: KeyChange; readonly key: Key }
	| { readonly kind: "secret"; readonly made: MadeKey }
	| undefined;

export type KeysState = ReturnType<typeof createKeysState>;

export function createKeysState(keys: Keys, { session }: Connection) {
	const all = signal<readonly Key[] | undefined>(undefined);
	const failure = signal<string | undefined>(undefined);
	const dialog = signal<OpenDialog>(undefined);
	const load = (ending?: AbortSignal) =>
		attempt(failure, ending, async () => {
			all.value = await keys.list(ending);
		});
	return {
		keys,
		all,
		failure,
		dialog,
		load,
		/** Whether the user is signed in with this key. */
		isOwn({ id }: Key): boolean {
			const current = session.peek();
			return current.kind === "signed in" && current.keyId === id;
		},
		open(next: OpenDialog): void {
			dialog.value = next;
		},
		/** After a change: shows the new secret, if the key has one. */
		finish(made?: MadeKey): Promise<void> {
			dialog.value = made && { kind: "secret", made };
			return load();
		},
	};
}
