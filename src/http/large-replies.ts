// Sends long text as a stream, which Bun asks for the next chunk only when the client has read the last one. So it is known how much
// is not read yet, and clients that read too slowly are disconnected. A client that reads nothing at all is disconnected by the idle
// timeout of its connection (http/server.ts).
import { overloaded } from "../contract/errors.ts";
import {
	maxPlainReplyLength,
	maxUnsentLength,
	slowReaderMs,
} from "../limits.ts";

export interface LargeReplies {
	/** The body of a Response. Long text is refused while too much other text is not sent completely. */
	readonly toBody: (text: string) => BodyInit;
}

export function createLargeReplies({
	maxUnsent = maxUnsentLength,
	timeoutMs = slowReaderMs,
} = {}): LargeReplies {
	let unsent = 0;

	function toStream(text: string): ReadableStream<Uint8Array> {
		let from = 0;
		let timer: Timer | undefined;
		unsent += text.length;
		const end = () => {
			if (timer === undefined) return;
			clearTimeout(timer);
			timer = undefined;
			unsent -= text.length;
		};
		return new ReadableStream({
			start(controller) {
				timer = setTimeout(() => {
					end();
					controller.error(new Error("The client reads too slowly."));
				}, timeoutMs);
			},
			pull(controller) {
				if (from >= text.length) {
					end();
					controller.close();
					return;
				}
				const to = toChunkEnd(text, from);
				controller.enqueue(encoder.encode(text.slice(from, to)));
				from = to;
			},
			cancel: end,
		});
	}

	return {
		toBody(text) {
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
