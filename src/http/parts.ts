// A body that is sent in parts: of a file, or of a text so long that clients who do not read it would fill the memory.
import { overloaded } from "../domain/errors.ts";
import { slowReaderMs } from "../limits.ts";

/** Long replies that clients have not read, of all clients together: 200 lists of a hundred of the longest names. */
export const maxUnsentBytes = 32 * 1024 * 1024;

/**
 * Bun asks for a part when the client has read the last one. The client has `ms` for each part, or for all. `onEnd` is called once, with the
 * error if `readNext` failed before the client was disconnected.
 */
export function toPartStream(
	/** Undefined after the last part. */
	readNext: () => Promise<Uint8Array | undefined>,
	ms: number,
	onEnd: (error?: unknown) => void,
	timed: "each part" | "whole body" = "each part",
): ReadableStream<Uint8Array> {
	let timer: Timer | undefined;
	let isOpen = true;

	function end(error?: unknown): void {
		clearTimeout(timer);
		if (!isOpen) return;
		isOpen = false;
		onEnd(error);
	}

	return new ReadableStream(
		{
			async pull(controller) {
				const fail = (error: unknown) => {
					end(error instanceof SlowClient ? undefined : error);
					controller.error(error);
				};
				if (timed === "each part") clearTimeout(timer);
				try {
					const part = await readNext();
					if (!isOpen) return;
					if (part === undefined) {
						end();
						return controller.close();
					}
					if (timed === "each part" || timer === undefined)
						timer = setTimeout(() => fail(new SlowClient()), ms);
					controller.enqueue(part);
				} catch (error) {
					fail(error);
				}
			},
			cancel: () => end(),
		},
		{ highWaterMark: 1 },
	);
}

export class SlowClient extends Error {
	override readonly message = "The client reads too slowly.";
}

/** Text up to this length is sent in one piece, and not counted. A list of a hundred usual names is shorter. */
const maxPlainLength = 32 * 1024;
/** The garbage of a longer text is collected at once, since Bun would let hundreds of megabytes pile up. Only the feed has such texts. */
const maxUncollectedBytes = 512 * 1024;

let unsent = 0;

/** Throws `overloaded` if too many bytes are unsent for another reply of this length. Call it before the work for a long reply. */
export function requireRoom(bytes: number): void {
	if (bytes > maxPlainLength && unsent + bytes > maxUnsentBytes)
		throw overloaded;
}

/** Returns short text as it is, and longer text as a stream. Throws `overloaded` if too many bytes are unsent. */
export function limitUnsent(text: string) {
	if (text.length <= maxPlainLength) return text;
	const bytes = Buffer.byteLength(text);
	if (bytes > maxUncollectedBytes) Bun.gc(true);
	requireRoom(bytes);
	unsent += bytes;
	const onEnd = () => {
		unsent -= bytes;
	};
	return toPartStream(createReader(text), slowReaderMs, onEnd, "whole body");
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
