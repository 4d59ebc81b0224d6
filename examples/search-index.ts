// Keeps a search index in step with a pet store: the index shows a change within a second.
// Usage: npx bun examples/search-index.ts http://127.0.0.1:8080 KEY, then a word per line on stdin
import { createInterface } from "node:readline";
import { setTimeout as sleep } from "node:timers/promises";
import { parseExactly } from "petstore-service/client";

/** A page of `GET /operator/v1/changes`. */
interface Changes {
	readonly changes: readonly {
		readonly petId: bigint;
		/** Undefined if the animal was removed. */
		readonly pet?: { readonly name: string };
	}[];
	readonly next: bigint;
	readonly more: boolean;
}

export interface SearchIndex {
	/** The ids of the animals whose name has this word. */
	readonly find: (word: string) => readonly bigint[];
	/** The position to store with the index, to resume after a restart. */
	readonly position: () => bigint;
	/** Rejects with the error that ended the loop: a revoked key, or the signal. */
	readonly followed: Promise<void>;
}

export function followStore(
	url: string,
	key: string,
	signal?: AbortSignal,
): SearchIndex {
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

	/** Returns whether more changes can be read now. */
	async function readPage(): Promise<boolean> {
		const { status, text } = await fetch(
			`${url}/operator/v1/changes?after=${position}&limit=1000`,
			{ headers: { Authorization: `Bearer ${key}` }, signal: signal ?? null },
		)
			.then(async (reply) => ({
				status: reply.status,
				text: await reply.text(),
			}))
			.catch(() => ({ status: 0, text: "" }));
		signal?.throwIfAborted();
		// No reply, or a store that is too busy.
		if (status === 0 || status === 429 || status >= 500) return false;
		// The store was restored or reset: the index begins again.
		if (status === 410) {
			idsByWord.clear();
			wordsById.clear();
			position = 0n;
			return true;
		}
		if (status !== 200) throw new Error(text);
		const page = parseExactly(text) as Changes;
		for (const { petId, pet } of page.changes) {
			remove(petId);
			if (pet !== undefined) put(petId, pet.name);
		}
		position = page.next;
		return page.more;
	}

	async function follow(): Promise<void> {
		for (;;) if (!(await readPage())) await sleep(500);
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
	const index = followStore(url, key);
	index.followed.catch((error: unknown) => {
		console.error(String(error));
		process.exit(1);
	});
	createInterface(process.stdin).on("line", (word) =>
		console.log(index.find(word).join(" ")),
	);
}
