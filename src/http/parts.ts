// A body that is sent in parts: of a file, or of a text so long that clients who do not read it would fill the memory.
import { overloaded } from "../domain/errors.ts";
import { collectSoon } from "../program.ts";

/** Long replies of a service that clients have not read, of all clients together: 200 lists of a hundred of the longest names. */
export const maxUnsentBytes = 32 * 1024 * 1024;

/**
 * Bun asks for a part when the client has read the last one. The client has `ms` for each part, or for all. `onEnd` is called once, with
 * the error if `readNext` failed before the client was disconnected.
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
/** The garbage of a longer text is collected soon, since Bun would let hundreds of megabytes pile up. Only the feed has such texts. */
const maxUncollectedBytes = 512 * 1024;

/** The time for all of a longer text. */
const slowReaderMs = 45_000;

export type Unsent = ReturnType<typeof createUnsent>;

/** Of one service. */
export function createUnsent() {
	let unsent = 0;

	/** Throws `overloaded` if too many bytes are unsent for another reply of this length. Call it before the work for a long reply. */
	function requireRoom(bytes: number): void {
		if (bytes > maxPlainLength && unsent + bytes > maxUnsentBytes)
			throw overloaded;
	}

	/** Returns short text as it is, and longer text as a stream. Throws `overloaded` if too many bytes are unsent. */
	function limit(text: string) {
		if (text.length <= maxPlainLength) return text;
		const bytes = Buffer.from(text);
		if (bytes.length > maxUncollectedBytes) collectSoon();
		requireRoom(bytes.length);
		unsent += bytes.length;
		const onEnd = () => {
			unsent -= bytes.length;
		};
		return toPartStream(createReader(bytes), slowReaderMs, onEnd, "whole body");
	}

	return { requireRoom, limit };
}

function createReader(bytes: Uint8Array) {
	let from = 0;
	return async (): Promise<Uint8Array | undefined> => {
		if (from >= bytes.length) return undefined;
		from += maxPlainLength;
		return bytes.subarray(from - maxPlainLength, from);
	};
}
