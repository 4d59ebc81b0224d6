// One stream of the feed. It reads a page only when the client has taken the one before, so a slow client costs little memory.

import { storedPetToJson } from "../../../domain/pet.ts";
import { clientIsSlow } from "../../../http/part-stream.ts";
import type { Claim } from "../../../http/reply-memory.ts";
import { streamCommentMs, streamPageBytes } from "../../../limits.ts";
import type { FeedEntry } from "../../../store/feed.ts";
import { type FeedPage, toPageBytes } from "../../../store/feed.ts";

/** A client that does not take the next part of a stream for this long is disconnected. */
export const slowStreamMs = 10_000;

export interface Stream {
	readonly body: ReadableStream<Uint8Array>;
	/** Called often. Reads if `last` shows something new, and sends a comment if nothing was sent for long. */
	readonly tick: (last: bigint | undefined) => void;
	readonly end: () => void;
}

export function openStream(
	after: bigint,
	read: (after: bigint) => Promise<FeedPage | "gone">,
	claim: Claim,
	onEnd: () => void,
	{ slowMs = slowStreamMs, commentMs = streamCommentMs } = {},
): Stream {
	let controller: ReadableStreamDefaultController<Uint8Array> | undefined;
	let position = after;
	/** Until the first read it is not known whether there is something. */
	let more = true;
	let isReading = false;
	let sentAt = performance.now();
	/** Set while the client waits for the next chunk. */
	let resolvePull: (() => void) | undefined;

	function leave(): typeof controller {
		const left = controller;
		controller = undefined;
		resolvePull?.();
		claim.end();
		if (left !== undefined) onEnd();
		return left;
	}

	function send(text: string): void {
		controller?.enqueue(encoder.encode(text));
		sentAt = performance.now();
		resolvePull?.();
		resolvePull = undefined;
	}

	/** Also fails if there is no memory for a page. */
	async function readPage(): Promise<FeedPage | "gone"> {
		claim.set(toPageBytes(streamPageBytes));
		return read(position);
	}

	async function readOn(): Promise<void> {
		if (isReading) return;
		isReading = true;
		// A read that fails is repeated at the next tick.
		const page = await readPage().catch(() => undefined);
		isReading = false;
		if (page === undefined || controller === undefined) return;
		// The client learns the reason when it comes back.
		if (page === "gone") return leave()?.close();
		position = page.next;
		more = page.more;
		const events = page.entries.map(changeToEvent).join("");
		claim.set(events.length);
		if (events !== "") send(events);
	}

	return {
		body: new ReadableStream({
			start(started) {
				controller = started;
				// So that the client gets the head of the reply at once.
				send(comment);
			},
			pull() {
				// The client has taken the page.
				claim.set(0);
				const pulled = new Promise<void>((resolve) => {
					resolvePull = resolve;
				});
				if (more) void readOn();
				return pulled;
			},
			cancel() {
				leave();
			},
		}),
		tick(last) {
			const quietMs = performance.now() - sentAt;
			if (resolvePull === undefined) {
				if (quietMs > slowMs) leave()?.error(clientIsSlow());
			} else if (more || (last !== undefined && last !== position))
				void readOn();
			if (resolvePull !== undefined && quietMs > commentMs) send(comment);
		},
		end() {
			leave()?.close();
		},
	};
}

const encoder = new TextEncoder();
const comment = ": \n\n";

/** JSON.stringify takes no bigint, so the integers are written by hand. */
export function changeToJson({
	position,
	kind,
	petId,
	pet,
}: FeedEntry): string {
	const content = pet === undefined ? "" : `,"pet":${storedPetToJson(pet)}`;
	return `{"position":${position},"kind":"${kind}","petId":${petId}${content}}`;
}

/** JSON escapes line breaks, so the data is one line. */
function changeToEvent(entry: FeedEntry): string {
	const { position, kind } = entry;
	return `id: ${position}\nevent: ${kind}\ndata: ${changeToJson(entry)}\n\n`;
}
