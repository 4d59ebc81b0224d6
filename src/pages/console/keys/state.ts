// The keys with their calls by day, as they were last read.
import { type ReadonlySignal, type Signal, signal } from "@preact/signals";
import { toMessage } from "../api/error.ts";
import type { Key, Keys, KeyWithSecret } from "../api/keys.ts";
import type { Usage } from "../api/usage.ts";
import { toStarts } from "../charts/periods.ts";
import { callDays } from "./calls.tsx";

export type OpenDialog =
	| { readonly kind: "make" }
	| {
			readonly kind: "rename" | "rotate" | "revoke" | "forget";
			readonly key: Key;
	  }
	/** A secret that was just made. */
	| { readonly kind: "secret"; readonly made: KeyWithSecret };

/** The calls of each key by the start of the day. */
export type Calls = ReadonlyMap<string, ReadonlyMap<number, number>>;

export interface KeysState {
	/** Undefined until they were read. */
	readonly all: ReadonlySignal<readonly Key[] | undefined>;
	readonly calls: ReadonlySignal<Calls>;
	readonly failure: ReadonlySignal<string | undefined>;
	readonly dialog: Signal<OpenDialog | undefined>;
	readonly load: (ending?: AbortSignal) => Promise<void>;
	readonly keys: Keys;
}

export function createKeysState(keys: Keys, usage: Usage): KeysState {
	const all = signal<readonly Key[] | undefined>(undefined);
	const calls = signal<Calls>(new Map());
	const failure = signal<string | undefined>(undefined);
	return {
		all,
		calls,
		failure,
		dialog: signal<OpenDialog | undefined>(undefined),
		keys,
		async load(ending) {
			try {
				all.value = await keys.list(ending);
				calls.value = await readCalls(usage, ending);
				failure.value = undefined;
			} catch (error) {
				if (!ending?.aborted) failure.value = toMessage(error);
			}
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
