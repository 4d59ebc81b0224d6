// How many bytes of replies a process makes and sends at the same time, and how long replies are sent. Who reads much reserves it first, so that
// a client that does not read its replies costs no memory. Small replies are not counted.

import { createTurns } from "../async/waiting.ts";
import { overloaded } from "../domain/errors.ts";
import { maxNameBytes } from "../domain/pet.ts";
import { maxReplyBytes, maxReplyBytesPerKey, slowReaderMs } from "../limits.ts";
import { toPartStream } from "./part-stream.ts";

/** Text up to this length is sent in one piece, longer text as a stream. A list of a hundred usual names is shorter. */
const maxPlainReplyLength = 32 * 1024;
/** Longer pages are read one after the other, with a pause after each: one of the longest names stops the event loop for some hundredths of a second. */
const longPageBytes = 512 * 1024;
const longPagePauseMs = 1;
/** After so many bytes of these pages garbage is collected: a page leaves several times its length, and Bun by itself collects it too late. */
const maxGarbageBytes = 4 * 1024 * 1024;

export type ReplyMemory = ReturnType<typeof createReplyMemory>;
export type Claim = ReturnType<ReplyMemory["open"]>;

export function createReplyMemory({
	total = maxReplyBytes,
	perKey = maxReplyBytesPerKey,
} = {}) {
	let taken = 0;
	/** Of the long pages since the last collection. */
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
		/**
		 * Call it before a page of so many animals is read, even to measure it. Throws `overloaded` if the key has so many unread replies that
		 * the page might not fit.
		 */
		requireRoom(keyHash: string, pets: number): void {
			if (taken === 0) return;
			const ofKey = takenByKey.get(keyHash);
			if (ofKey !== undefined && ofKey + pets * maxNameBytes > perKey)
				throw overloaded;
		},
		/** For the replies to one key, which can take only a part of the memory. */
		open(keyHash: string) {
			let own = 0;
			let isEnded = false;
			const claim = {
				/** Makes it as large as this. Throws `overloaded` if it has to grow and there is no room. */
				set(bytes: number): void {
					// Work that goes on after its request was answered gets nothing more.
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
				/** Adds to it. Throws `overloaded` if there is no room. */
				take: (bytes: number) => claim.set(own + bytes),
				/** Adds to it for a page that is read then, in turn if the page is long, so that other requests are answered in between. */
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

/** The claim becomes as large as the reply, and ends when that was sent. Throws `overloaded` if there is no room. */
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
