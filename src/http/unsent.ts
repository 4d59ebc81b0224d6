// Limits the memory of long replies that clients have not read yet.
import { overloaded } from "../domain/errors.ts";
import { maxUnsentBytes, slowReaderMs } from "../limits.ts";
import { toPartStream } from "./part-stream.ts";

/** Text up to this length is sent in one piece, and not counted. A list of a hundred usual names is shorter. */
const maxPlainLength = 32 * 1024;
/** The garbage of a longer text is collected at once, since Bun would let hundreds of megabytes pile up. Only the feed has such texts. */
const maxUncollectedBytes = 512 * 1024;

/** Returns short text as it is, and longer text as a stream. Throws `overloaded` if too many bytes are unsent. */
export type LimitUnsent = (text: string) => string | ReadableStream<Uint8Array>;

export function createUnsentLimit({
	maxBytes = maxUnsentBytes,
	timeoutMs = slowReaderMs,
} = {}): LimitUnsent {
	let unsent = 0;
	return (text) => {
		if (text.length <= maxPlainLength) return text;
		const bytes = Buffer.byteLength(text);
		if (bytes > maxUncollectedBytes) Bun.gc(true);
		if (unsent + bytes > maxBytes) throw overloaded;
		unsent += bytes;
		const onEnd = () => {
			unsent -= bytes;
		};
		return toPartStream(createReader(text), timeoutMs, onEnd, "whole body");
	};
}

/** Encodes one part at a time: replies with the same page share its text. */
function createReader(text: string): () => Promise<Uint8Array | undefined> {
	let from = 0;
	return async () => {
		if (from === text.length) return undefined;
		const next = from + maxPlainLength;
		// No part ends between the two halves of a character.
		const isHalf = /^[\udc00-\udfff]/.test(text.charAt(next));
		const part = text.slice(from, isHalf ? next - 1 : next);
		from += part.length;
		return encoder.encode(part);
	};
}

const encoder = new TextEncoder();
