// Keeps a search index in step with a pet store: the index shows a change within a second.
// Usage: search-index.ts URL KEY, then a word per line on stdin
import { createInterface } from "node:readline";
import { type Client, createClient } from "petstore-service/client";

export interface SearchIndex {
	/** The ids of the animals whose name has this word. */
	readonly find: (word: string) => readonly bigint[];
	/** The position to store with the index, to resume after a restart. */
	readonly position: () => bigint;
	/** Rejects with the error that ended the loop: a revoked key, a restored store, or the signal. */
	readonly followed: Promise<void>;
}

export function followStore(store: Client, signal?: AbortSignal): SearchIndex {
	const idsByWord = new Map<string, Set<bigint>>();
	const wordsById = new Map<bigint, readonly string[]>();
	let position = 0n;

	function remove(id: bigint): void {
		for (const word of wordsById.get(id) ?? []) idsByWord.get(word)?.delete(id);
		wordsById.delete(id);
	}

	function put(id: bigint, name: string): void {
		const words = toWords(name);
		wordsById.set(id, words);
		for (const word of words) {
			const ids = idsByWord.get(word) ?? new Set();
			idsByWord.set(word, ids.add(id));
		}
	}

	async function follow(): Promise<void> {
		for await (const change of store.changes({ after: position, signal })) {
			// A known change may come again, so adding it twice must do no harm.
			remove(change.petId);
			if (change.kind !== "removed") put(change.petId, change.pet.name);
			position = change.position;
		}
	}

	return {
		find: (word) => [...(idsByWord.get(word.toLowerCase()) ?? [])],
		position: () => position,
		followed: follow(),
	};
}

function toWords(name: string): readonly string[] {
	return name.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
}

if (import.meta.main) {
	const [url = "", key = ""] = process.argv.slice(2);
	const index = followStore(createClient({ url, key }));
	index.followed.catch((error: unknown) => {
		console.error(String(error));
		process.exit(1);
	});
	createInterface(process.stdin).on("line", (word) =>
		console.log(index.find(word).join(" ")),
	);
}
