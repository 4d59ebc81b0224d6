// The keys with their calls by day.
import { signal } from "@preact/signals";
import type { Key, Keys, MadeKey } from "../api/keys.ts";
import type { Usage } from "../api/usage.ts";
import { periods, toStarts } from "../charts/periods.ts";
import { toScale } from "../charts/shapes.tsx";
import { attempt } from "../parts/poll.tsx";

export const callDays = { ...periods.month, parts: 14 };

export type KeyChange = "rename" | "rotate" | "revoke" | "forget";

type OpenDialog =
	| { readonly kind: "make" }
	| { readonly kind: KeyChange; readonly key: Key }
	| { readonly kind: "secret"; readonly made: MadeKey }
	| undefined;

export type KeysState = ReturnType<typeof createKeysState>;

export function createKeysState(keys: Keys, usage: Usage) {
	const all = signal<readonly Key[] | undefined>(undefined);
	const calls = signal<Calls | undefined>(undefined);
	const failure = signal<string | undefined>(undefined);
	const dialog = signal<OpenDialog>(undefined);
	const load = (ending?: AbortSignal) =>
		attempt(failure, ending, async () => {
			const found = await keys.list(ending);
			all.value = found;
			calls.value = await readCalls(found, usage, ending);
		});
	return {
		...{ all, calls, failure, dialog, keys, load },
		/** The calls of one key in the last 30 days, by operation, status and day. */
		async readTraffic(id: string, ending: AbortSignal) {
			const now = Date.now();
			const [from = 0] = toStarts(periods.month, now);
			const rows = await usage.listDays(
				from,
				periods.month.parts,
				["operation", "key", "status"],
				ending,
			);
			return { now, rows: rows.filter(({ key }) => key === id) };
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

type Calls = Awaited<ReturnType<typeof readCalls>>;

async function readCalls(
	keys: readonly Key[],
	usage: Usage,
	ending?: AbortSignal,
) {
	const [from = 0] = toStarts(callDays, Date.now());
	const rows = await usage.listDays(from, callDays.parts, ["key"], ending);
	const ids = new Set(keys.map(({ id }) => String(id)));
	const own = rows.filter(({ key = "" }) => ids.has(key));
	return {
		byKey: Map.groupBy(own, ({ key }) => key),
		/** The value at the upper edge. All keys have the same, so that users can compare their charts. */
		top: toScale(own.map(({ requests }) => requests)).top,
	};
}
