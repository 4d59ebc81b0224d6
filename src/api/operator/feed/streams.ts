// The open streams of the feed in this process. One timer serves all of them, and runs only while one is open.
import { Failure, unavailable } from "../../../domain/errors.ts";
import { storedPetToJson } from "../../../domain/pet.ts";
import { toPartStream } from "../../../http/part-stream.ts";
import type { Claim, ReplyMemory } from "../../../http/reply-memory.ts";
import type { Call, Surface } from "../../../http/surface.ts";
import {
	feedPollMs,
	maxStreamsOfKey,
	streamCommentMs,
	streamPageBytes,
	streamPageLimit,
} from "../../../limits.ts";
import {
	type Feed,
	type FeedEntry,
	type FeedPage,
	toPageBytes,
} from "../../../store/feed.ts";

/** Concurrent streams of a process. Each holds a connection, and the text of up to two pages. */
export const maxStreams = 256;
/** A client that reads no part of a stream for this long is disconnected. */
export const slowStreamMs = 10_000;

type Follower = Pick<Call, "request" | "identity">;

/** Returns a function that opens a stream. It throws `unavailable` if too many are open, or the service stops. */
export function createStreams(options: {
	feed: Feed;
	/** A stream ends when this refuses its request: the key was revoked, or the session has ended. */
	authenticate: Surface["authenticate"];
	stopping: AbortSignal;
	/** For the pages that clients have not read yet. */
	memory: ReplyMemory;
}): (call: Follower, after: bigint) => ReadableStream<Uint8Array> {
	const { feed, authenticate, stopping, memory } = options;
	const streams = new Map<Stream, Follower>();
	let timer: Timer | undefined;
	let last: bigint | undefined;
	let isPolling = false;

	stopping.addEventListener("abort", () => {
		for (const stream of streams.keys()) stream.end();
	});

	async function poll(): Promise<void> {
		if (isPolling) return;
		isPolling = true;
		// While the database fails, the streams stay open.
		const next = await Promise.try(feed.last).catch(() => undefined);
		isPolling = false;
		if (next === last) return;
		last = next;
		for (const stream of streams.keys()) stream.tick(last);
	}

	/** Does not wait for the database, so that comments are always sent. */
	function tick(): void {
		for (const [stream, { request }] of streams) {
			stream.tick(last);
			void endIfRefused(stream, request);
		}
		void poll();
	}

	async function endIfRefused(stream: Stream, request: Request) {
		const now = performance.now();
		const caller = await Promise.try(authenticate, request, now).catch(
			(error: unknown) => error,
		);
		if (caller instanceof Failure && caller.code === "unauthenticated")
			stream.end();
	}

	function remove(stream: Stream): void {
		streams.delete(stream);
		if (streams.size > 0) return;
		clearInterval(timer);
		timer = undefined;
	}

	return (call, after) => {
		if (stopping.aborted)
			throw unavailable("The service is stopping; try again.");
		const { keyHash } = call.identity;
		const own = [...streams.values()].filter(
			({ identity }) => identity.keyHash === keyHash,
		);
		if (own.length >= maxStreamsOfKey)
			throw unavailable(
				`This API key has ${maxStreamsOfKey} open streams, which is its maximum; close one of them.`,
			);
		if (streams.size >= maxStreams)
			throw unavailable(
				`This process has ${maxStreams} open streams, which is its maximum; try again.`,
			);
		const page = { limit: streamPageLimit, maxBytes: streamPageBytes };
		const stream: Stream = openStream(
			after,
			async (from) => feed.read({ after: from, ...page }),
			memory.open(keyHash),
			() => remove(stream),
		);
		streams.set(stream, call);
		call.request.signal.addEventListener("abort", stream.end);
		timer ??= setInterval(tick, feedPollMs);
		return stream.body;
	};
}

type Stream = ReturnType<typeof openStream>;

/** Reads a page only when the client has taken the previous one, so a slow client costs little memory. */
export function openStream(
	after: bigint,
	read: (after: bigint) => Promise<FeedPage | "gone">,
	claim: Claim,
	onEnd: () => void,
	{ slowMs = slowStreamMs, commentMs = streamCommentMs } = {},
) {
	let position = after;
	/** True before the first read, which may find changes. */
	let more = true;
	let isReading = false;
	let isEnded = false;
	/** What the client has not taken. The first comment sends the headers of the reply at once. */
	let unsent = comment;
	let sentAt = performance.now();
	/** Set while the client waits for the next part. */
	let wake: (() => void) | undefined;

	function send(text: string): void {
		unsent += text;
		wake?.();
	}

	function end(): void {
		isEnded = true;
		wake?.();
	}

	async function readOn(): Promise<void> {
		if (isReading) return;
		isReading = true;
		// A read that fails, or finds no memory for a page, is repeated at the next tick.
		const page = await Promise.try(() => {
			claim.set(toPageBytes(streamPageBytes));
			return read(position);
		}).catch(() => undefined);
		isReading = false;
		if (page === undefined || isEnded) return;
		// The client learns the reason when it reconnects.
		if (page === "gone") return end();
		position = page.next;
		more = page.more;
		const events = page.entries.map(changeToEvent).join("");
		claim.set(events.length);
		send(events);
	}

	async function readNext(): Promise<Uint8Array | undefined> {
		if (!isReading) claim.set(0);
		if (more && unsent === "") void readOn();
		while (unsent === "" && !isEnded)
			await new Promise<void>((resolve) => {
				wake = resolve;
			});
		wake = undefined;
		if (isEnded) return undefined;
		const part = encoder.encode(unsent);
		unsent = "";
		sentAt = performance.now();
		return part;
	}

	return {
		body: toPartStream(readNext, slowMs, () => {
			end();
			claim.end();
			onEnd();
		}),
		/** Reads if `last` is new, and sends a comment after a long silence. */
		tick(last: bigint | undefined): void {
			if (wake === undefined) return;
			if (more || (last !== undefined && last !== position)) void readOn();
			if (performance.now() - sentAt > commentMs) send(comment);
		},
		end,
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
