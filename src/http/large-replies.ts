// Sends a long reply as a stream, which Bun asks for the next chunk only when the client has read the last one. So it is known how much
// is not read yet, and clients that read too slowly are disconnected. A client that reads nothing at all is disconnected by the idle
// timeout of its connection (http/server.ts).
import { maxPlainReplyLength, slowReaderMs } from "../limits.ts";
import type { Claim } from "./reply-memory.ts";

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
				controller.error(new Error("The client reads too slowly."));
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
