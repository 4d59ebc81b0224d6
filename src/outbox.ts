// Large bodies on their way to their readers. Bun keeps what a client does not take: handed over in pieces, it is known how much
// that is, and who takes too long loses the connection.
import { overloaded } from "./errors.ts";

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

	async function* toPieces(body: string): AsyncGenerator<Uint8Array> {
		unsent += body.length;
		const deadline = performance.now() + deadlineMs;
		try {
			for (let from = 0; from < body.length; ) {
				if (performance.now() > deadline) throw new Error("A slow reader.");
				const to = toPieceEnd(body, from);
				yield encoder.encode(body.slice(from, to));
				from = to;
			}
		} finally {
			unsent -= body.length;
		}
	}

	return {
		send(body) {
			// The system takes such a body at once, and Bun makes less of a string.
			if (body.length <= pieceLength) return body;
			if (unsent >= maxUnsent) throw overloaded;
			return toStream(toPieces(body));
		},
	};
}

const encoder = new TextEncoder();
const pieceLength = 64 * 1024;
function toStream(
	pieces: AsyncGenerator<Uint8Array>,
): ReadableStream<Uint8Array> {
	return new ReadableStream({
		async pull(controller) {
			const { done, value } = await pieces.next();
			if (done) controller.close();
			else controller.enqueue(value);
		},
		async cancel() {
			await pieces.return(undefined);
		},
	});
}

/** A character of two halves stays whole. */
function toPieceEnd(body: string, from: number): number {
	const to = from + pieceLength;
	return isHighSurrogate(body.charCodeAt(to - 1)) ? to - 1 : to;
}

function isHighSurrogate(code: number): boolean {
	return code >= 0xd800 && code <= 0xdbff;
}
