// The keys with their calls by day, as they were last read.
import { type ReadonlySignal, signal } from "@preact/signals";
import type { Key, Keys, MadeKey } from "../api/keys.ts";
import type { Usage } from "../api/usage.ts";
import { type Period, toStarts } from "../charts/periods.ts";
import { attempt } from "../parts/poll.tsx";

/** The days that the calls of a key are shown for. */
export const callDays: Period = {
	unit: "day",
	parts: 14,
	partMs: 86_400_000,
	partName: "Day (UTC)",
};

export type OpenDialog =
	| { readonly kind: "make" }
	| {
			readonly kind: "rename" | "rotate" | "revoke" | "forget";
			readonly key: Key;
	  }
	/** A secret that was just made. */
	| { readonly kind: "secret"; readonly made: MadeKey };

/** The calls of each key by the start of the day. */
export type Calls = ReadonlyMap<string, ReadonlyMap<number, number>>;

export interface KeysState {
	readonly all: ReadonlySignal<readonly Key[] | undefined>;
	readonly calls: ReadonlySignal<Calls>;
	readonly failure: ReadonlySignal<string | undefined>;
	readonly dialog: ReadonlySignal<OpenDialog | undefined>;
	/** Opens another dialog, or none. */
	readonly open: (dialog: OpenDialog | undefined) => void;
	/** After a change. */
	readonly openAndLoad: (dialog: OpenDialog | undefined) => Promise<void>;
	readonly load: (ending?: AbortSignal) => Promise<void>;
	readonly keys: Keys;
}

export function createKeysState(keys: Keys, usage: Usage): KeysState {
	const all = signal<readonly Key[] | undefined>(undefined);
	const calls = signal<Calls>(new Map());
	const failure = signal<string | undefined>(undefined);
	const dialog = signal<OpenDialog | undefined>(undefined);
	const open = (next: OpenDialog | undefined) => {
		dialog.value = next;
	};
	const load = (ending?: AbortSignal) =>
		attempt(failure, ending, async () => {
			all.value = await keys.list(ending);
			calls.value = await readCalls(usage, ending);
		});
	return {
		...{ all, calls, failure, dialog, open, load, keys },
		openAndLoad(next) {
			open(next);
			return load();
		},
	};
}

async function readCalls(usage: Usage, ending?: AbortSignal): Promise<Calls> {
	const [from = 0] = toStarts(callDays, Date.now());
	const rows = await usage.list(from, ["key", "day"], ending);
	const byKey = Map.groupBy(rows, ({ key }) => key ?? "");
	return new Map(
		[...byKey].map(([key, rows]) => [
			key,
			new Map(rows.map(({ start = 0, requests }) => [start, requests])),
		]),
	);
}
