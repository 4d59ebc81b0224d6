// The replies to lists that are kept: by the state of the animals and the query. Each is valid until the next commit of any process.
import type { Awaitable } from "../domain/async.ts";
import { notDurableNow } from "../domain/errors.ts";
import { isMatched, type Reply } from "../http/reply.ts";
import type { Call } from "../http/surface.ts";
import type { State } from "../store/database/state.ts";

export interface Kept {
	readonly tag: string;
	readonly reply: Reply;
	/** To a caller who has it already. */
	readonly notModified: Reply;
}

/** Reads the animals and makes the reply. */
type Make = () => Awaitable<Kept>;

interface Entry {
	readonly make: Make;
	state?: State;
	kept?: Awaitable<Kept> | undefined;
}

/** With the longest names they take about 12 MB. */
const maxEntries = 100;
/** A query that says more than it must is not kept. */
const maxKeyLength = 256;

export type Replies = ReturnType<typeof openReplies>;

/** `readState` returns the same object as long as nothing has changed. */
export function openReplies(readState: () => Awaitable<State>) {
	const entries = new Map<string, Entry>();
	let newest: State | undefined;

	function open(key: string, prepare: () => Make): Entry {
		const entry = { make: prepare() };
		if (entries.size >= maxEntries) entries.clear();
		if (key.length <= maxKeyLength) entries.set(key, entry);
		return entry;
	}

	function find(state: State, entry: Entry): Awaitable<Kept> {
		newest = state;
		if (entry.state === state && entry.kept !== undefined) return entry.kept;
		const made = entry.make();
		entry.state = state;
		entry.kept = made;
		if (made instanceof Promise)
			made.catch(() => {
				if (entry.kept === made) entry.kept = undefined;
			});
		return made;
	}

	/** While PostgreSQL makes nothing durable, what is kept is known to be. */
	function findDurable(
		error: unknown,
		{ state, kept }: Entry,
	): Awaitable<Kept> {
		if (error !== notDurableNow || state !== newest || kept === undefined)
			throw error;
		return kept;
	}

	/** `prepare` reads the query, and throws if it is invalid. */
	return (key: string, prepare: () => Make): Awaitable<Kept> => {
		const entry = entries.get(key) ?? open(key, prepare);
		const state = readState();
		return state instanceof Promise
			? state.then(
					(state) => find(state, entry),
					(error) => findDurable(error, entry),
				)
			: find(state, entry);
	};
}

/** The reply, or its 304. */
export function answer(kept: Awaitable<Kept>, { request }: Call) {
	const choose = ({ tag, reply, notModified }: Kept) =>
		isMatched(request, tag) ? notModified : reply;
	return kept instanceof Promise ? kept.then(choose) : choose(kept);
}
