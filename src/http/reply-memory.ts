// How many bytes of replies a process makes and sends at the same time, and how long replies are sent. Who reads much reserves it first, so that
// a client that does not read its replies costs no memory. Small replies are not counted.

import { createTurns } from "../async/turns.ts";
import { overloaded } from "../domain/errors.ts";
import { maxNameBytes } from "../domain/pet.ts";
import { maxReplyBytes, maxReplyBytesPerKey, slowReaderMs } from "../limits.ts";
import { clientIsSlow } from "./part-stream.ts";

/** Text up to this length is sent in one piece, longer text as a stream. A list of a hundred usual names is shorter. */
const maxPlainReplyLength = 32 * 1024;
/** Longer pages are read one after the other, with a pause after each: one of the longest names stops the event loop for some hundredths of a second. */
const longPageBytes = 512 * 1024;
const longPagePauseMs = 1;
/** After so many bytes of these pages garbage is collected: a page leaves several times its length, and Bun by itself collects it too late. */
const maxGarbageBytes = 4 * 1024 * 1024;

export interface ReplyMemory {
	/** For the replies to one key, which can take only a part of the memory. */
	readonly open: (keyHash: string) => Claim;
	/**
	 * Call it before a page of so many animals is read, even to measure it. Throws `overloaded` if the key has so many unread replies that the page
	 * might not fit.
	 */
	readonly requireRoom: (keyHash: string, pets: number) => void;
}

export interface Claim {
	/** Adds to it. Throws `overloaded` if there is no room. */
	readonly take: (bytes: number) => void;
	/** Adds to it for a page that is read then, in turn if the page is long, so that other requests are answered in between. */
	readonly takePage: (bytes: number) => Promise<void>;
	/** Makes it as large as this. Throws `overloaded` if it has to grow and there is no room. */
	readonly set: (bytes: number) => void;
	readonly end: () => void;
}

export function createReplyMemory({
	total = maxReplyBytes,
	perKey = maxReplyBytesPerKey,
} = {}): ReplyMemory {
	let taken = 0;
	/** Of the long pages since the last collection. */
	let garbage = 0;
	const takenByKey = new Map<string, number>();
	const takeTurn = createTurns(longPagePauseMs);

	return {
		requireRoom(keyHash, pets) {
			if (taken === 0) return;
			const ofKey = takenByKey.get(keyHash);
			if (ofKey !== undefined && ofKey + pets * maxNameBytes > perKey)
				throw overloaded;
		},
		open(keyHash) {
			let own = 0;
			let isEnded = false;
			const claim: Claim = {
				take: (bytes) => claim.set(own + bytes),
				async takePage(bytes) {
					claim.take(bytes);
					if (bytes <= longPageBytes) return;
					await takeTurn(() => {
						garbage += bytes;
						if (garbage < maxGarbageBytes) return;
						garbage = 0;
						Bun.gc(true);
					});
				},
				set(bytes) {
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
				end() {
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
	let timer: Timer | undefined;
	const end = () => {
		clearTimeout(timer);
		claim.end();
	};
	return new ReadableStream({
		start(controller) {
			timer = setTimeout(() => {
				end();
				controller.error(clientIsSlow());
			}, timeoutMs);
		},
		pull(controller) {
			if (from >= bytes.length) {
				end();
				controller.close();
				return;
			}
			const to = from + maxPlainReplyLength;
			controller.enqueue(bytes.subarray(from, to));
			from = to;
		},
		cancel: end,
	});
}

const encoder = new TextEncoder();
