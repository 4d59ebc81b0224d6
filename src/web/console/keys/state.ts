// The keys with their calls by day, and the open dialog.
import { signal } from "@preact/signals";
import type { Connection } from "../api/connection.ts";
import type { Key, Keys, MadeKey } from "../api/keys.ts";
import type { ReadUsage, UsageRow } from "../api/usage.ts";
import { periods } from "../charts/periods.ts";
import { attempt } from "../parts/poll.tsx";

export const callDays = { ...periods.month, parts: 14 };

export type KeyChange = "rename" | "revoke";

type OpenDialog =
	| { readonly kind: "make" }
	| { readonly kind: KeyChange; readonly key: Key }
	| { readonly kind: "secret"; readonly made: MadeKey }
	| undefined;

export type KeysState = ReturnType<typeof createKeysState>;

export function createKeysState(
	keys: Keys,
	readUsage: ReadUsage,
	{ session }: Connection,
) {
	const all = signal<readonly Key[] | undefined>(undefined);
	const calls = signal<readonly UsageRow[]>([]);
	const failure = signal<string | undefined>(undefined);
	const dialog = signal<OpenDialog>(undefined);
	const load = (ending?: AbortSignal) =>
		attempt(failure, ending, async () => {
			all.value = await keys.list(ending);
			calls.value = await readUsage(callDays, ["key", "day"], ending);
		});
	return {
		keys,
		readUsage,
		all,
		calls,
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
