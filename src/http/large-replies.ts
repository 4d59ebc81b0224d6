// Long text is sent as a stream: Bun buffers what a client does not read, and a stream shows how much that is. Clients that read
// too slowly are disconnected.
import { overloaded } from "../contract/errors.ts";
import {
	maxPlainReplyLength,
	maxUnsentLength,
	slowReaderMs,
} from "../limits.ts";

export interface LargeReplies {
	/** The text as a Response takes it. Long text is refused while too much other text is not sent yet. */
	readonly send: (text: string) => BodyInit;
}

export function createLargeReplies({
	maxUnsent = maxUnsentLength,
	timeoutMs = slowReaderMs,
} = {}): LargeReplies {
	let unsent = 0;

	function toStream(text: string): ReadableStream<Uint8Array> {
		const deadline = performance.now() + timeoutMs;
		let from = 0;
		let counted = text.length;
		unsent += counted;
		const end = () => {
			unsent -= counted;
			counted = 0;
		};
		return new ReadableStream({
			pull(controller) {
				if (performance.now() > deadline) {
					end();
					controller.error(new Error("The client reads too slowly."));
				} else if (from >= text.length) {
					end();
					controller.close();
				} else {
					const to = toChunkEnd(text, from);
					controller.enqueue(encoder.encode(text.slice(from, to)));
					from = to;
				}
			},
			cancel: end,
		});
	}

	return {
		send(text) {
			if (text.length <= maxPlainReplyLength) return text;
			if (unsent >= maxUnsent) throw overloaded;
			return toStream(text);
		},
	};
}

const encoder = new TextEncoder();

/** A surrogate pair is not cut. */
function toChunkEnd(text: string, from: number): number {
	const to = from + maxPlainReplyLength;
	return isHighSurrogate(text.charCodeAt(to - 1)) ? to - 1 : to;
}

function isHighSurrogate(code: number): boolean {
	return code >= 0xd800 && code <= 0xdbff;
}
