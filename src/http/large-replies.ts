// Large bodies on their way to their readers. Bun keeps what a client does not take: handed over in pieces, it is known how much
// that is, and who takes too long loses the connection.
import { overloaded } from "../contract/errors.ts";

export interface Outbox {
	/** The body as a Response takes it. A large one is refused while too many are on their way. */
	readonly send: (body: string) => BodyInit;
}

/**
 * The measures, in characters and milliseconds: some twenty replies of a hundred of the longest names; and what stays below a
 * minute with the 12 seconds after which Bun gives up who takes nothing at all.
 */
export function createOutbox({
	maxUnsent = 128 * 1024 * 1024,
	deadlineMs = 45_000,
} = {}): Outbox {
	let unsent = 0;

	function toStream(body: string): ReadableStream<Uint8Array> {
		const deadline = performance.now() + deadlineMs;
		let from = 0;
		let counted = body.length;
		unsent += counted;
		const end = () => {
			unsent -= counted;
			counted = 0;
		};
		return new ReadableStream({
			pull(controller) {
				if (performance.now() > deadline) {
					end();
					controller.error(new Error("A slow reader."));
				} else if (from >= body.length) {
					end();
					controller.close();
				} else {
					const to = toPieceEnd(body, from);
					controller.enqueue(encoder.encode(body.slice(from, to)));
					from = to;
				}
			},
			cancel: end,
		});
	}

	return {
		send(body) {
			// The system takes such a body at once, and Bun makes less of a string.
			if (body.length <= pieceLength) return body;
			if (unsent >= maxUnsent) throw overloaded;
			return toStream(body);
		},
	};
}

const encoder = new TextEncoder();
/** A little more than one animal takes, whose name came in a body of 64 KiB: whoever added one is told so, however much is on its way. */
const pieceLength = 72 * 1024;

/** A character of two halves stays whole. */
function toPieceEnd(body: string, from: number): number {
	const to = from + pieceLength;
	return isHighSurrogate(body.charCodeAt(to - 1)) ? to - 1 : to;
}

function isHighSurrogate(code: number): boolean {
	return code >= 0xd800 && code <= 0xdbff;
}
