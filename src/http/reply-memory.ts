// Limits the memory of replies in progress. Long reads reserve memory first, so that a client that does not read its replies cannot exhaust
// it. Small replies are not counted.
import { createTurns } from "../async/waiting.ts";
import { overloaded } from "../domain/errors.ts";
import { maxNameBytes } from "../domain/pet.ts";
import { maxReplyBytes, maxReplyBytesPerKey, slowReaderMs } from "../limits.ts";
import { toPartStream } from "./part-stream.ts";

/** Text up to this length is sent in one piece, longer text as a stream. A list of a hundred usual names is shorter. */
const maxPlainReplyLength = 32 * 1024;
/** Longer pages are read one at a time, with a pause: a page of the longest names blocks the event loop for long. */
const longPageBytes = 512 * 1024;
const longPagePauseMs = 1;
/** Bytes of long pages until the next garbage collection: a page leaves several times its length, and Bun collects it too late. */
const maxGarbageBytes = 4 * 1024 * 1024;

export type ReplyMemory = ReturnType<typeof createReplyMemory>;
export type Claim = ReturnType<ReplyMemory["open"]>;

export function createReplyMemory({
	total = maxReplyBytes,
	perKey = maxReplyBytesPerKey,
} = {}) {
	let taken = 0;
	/** Bytes of long pages since the last collection. */
	let garbage = 0;
	const takenByKey = new Map<string, number>();
	const takeTurn = createTurns(longPagePauseMs);

	function collectGarbage(bytes: number): void {
		garbage += bytes;
		if (garbage < maxGarbageBytes) return;
		garbage = 0;
		Bun.gc(true);
	}

	return {
		/** Call it before a page is read or measured. Throws `overloaded` if the page may not fit beside the key's unread replies. */
		requireRoom(keyHash: string, pets: number): void {
			if (taken === 0) return;
			const ofKey = takenByKey.get(keyHash);
			if (ofKey !== undefined && ofKey + pets * maxNameBytes > perKey)
				throw overloaded;
		},
		/** For the replies to one key, which can take only its share. */
		open(keyHash: string) {
			let own = 0;
			let isEnded = false;
			const claim = {
				/** Changes its size. Throws `overloaded` if it cannot grow. */
				set(bytes: number): void {
					// Work that continues after the reply gets nothing more.
					if (isEnded && bytes > 0) throw overloaded;
					const more = bytes - own;
					const ofKey = (takenByKey.get(keyHash) ?? 0) + more;
					if (more > 0 && (taken + more > total || ofKey > perKey))
						throw overloaded;
					own = bytes;
					taken += more;
					if (ofKey === 0) takenByKey.delete(keyHash);
					else takenByKey.set(keyHash, ofKey);
				},
				/** Adds to its size. Throws `overloaded` if it cannot grow. */
				take: (bytes: number) => claim.set(own + bytes),
				/** Adds the size of a page. Resolves when it may be read: long pages take turns, with other requests in between. */
				async takePage(bytes: number): Promise<void> {
					claim.take(bytes);
					if (bytes > longPageBytes)
						await takeTurn(() => collectGarbage(bytes));
				},
				end(): void {
					claim.set(0);
					isEnded = true;
				},
			};
			return claim;
		},
	};
}

/** Whether text or bytes of this length are sent as a stream. */
export function isLarge({ length }: { readonly length: number }): boolean {
	return length > maxPlainReplyLength;
}

/** The claim grows to the size of the reply, and ends when it is sent. Throws `overloaded` if it cannot grow. */
export function toStream(
	body: string | Uint8Array<ArrayBuffer>,
	claim: Claim,
	timeoutMs = slowReaderMs,
): ReadableStream<Uint8Array> {
	const bytes = typeof body === "string" ? encoder.encode(body) : body;
	try {
		claim.set(bytes.length);
	} catch (error) {
		claim.end();
		throw error;
	}
	let from = 0;
	async function readNext(): Promise<Uint8Array | undefined> {
		const part = bytes.subarray(from, from + maxPlainReplyLength);
		from += part.length;
		return part.length === 0 ? undefined : part;
	}
	return toPartStream(readNext, timeoutMs, claim.end, "whole body");
}

const encoder = new TextEncoder();
