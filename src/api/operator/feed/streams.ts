// The streams of the feed that this process has open. One timer serves all of them, and runs only while there are some.
import { Failure, unavailable } from "../../../domain/errors.ts";
import type { ReplyMemory } from "../../../http/reply-memory.ts";
import type { Call, Identity, Surface } from "../../../http/surface.ts";
import {
	feedPollMs,
	maxStreamsOfKey,
	streamPageBytes,
	streamPageLimit,
} from "../../../limits.ts";
import type { Feed } from "../../../store/feed.ts";
import { openStream, type Stream } from "./stream.ts";

/** Streams that a process serves at the same time. Each holds a connection, and the text of up to two pages of a stream. */
export const maxStreams = 256;

export interface Streams {
	/** Throws `unavailable` if there are too many, or the service stops. */
	readonly open: (
		call: Pick<Call, "request" | "identity">,
		after: bigint,
	) => ReadableStream<Uint8Array>;
}

export function createStreams(options: {
	feed: Feed;
	/** A stream ends when this refuses its request: the key was revoked, or the session has ended. */
	authenticate: Surface["authenticate"];
	stopping: AbortSignal;
	/** For the pages that clients have not read yet. */
	memory: ReplyMemory;
}): Streams {
	const { feed, authenticate, stopping, memory } = options;
	const streams = new Map<Stream, Pick<Call, "request" | "identity">>();
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

	/** Does not wait for the database, so that comments are sent in any case. */
	function tick(): void {
		for (const [stream, { request }] of streams) {
			stream.tick(last);
			void endIfRefused(stream, request);
		}
		void poll();
	}

	async function endIfRefused(stream: Stream, request: Request) {
		const caller = await tryAuthenticate(request);
		if (caller instanceof Failure && caller.code === "unauthenticated")
			stream.end();
	}

	async function tryAuthenticate(request: Request): Promise<unknown> {
		try {
			return await authenticate(request, performance.now());
		} catch (error) {
			return error;
		}
	}

	function requireRoom({ keyHash }: Identity): void {
		const own = [...streams.values()].filter(
			({ identity }) => identity.keyHash === keyHash,
		);
		if (own.length >= maxStreamsOfKey)
			throw unavailable(
				`This API key has ${maxStreamsOfKey} streams already, which is its share; close one of them.`,
			);
		if (streams.size >= maxStreams)
			throw unavailable(
				`There are ${maxStreams} streams already, which is the most; try again.`,
			);
	}

	function remove(stream: Stream): void {
		streams.delete(stream);
		if (streams.size > 0) return;
		clearInterval(timer);
		timer = undefined;
	}

	return {
		open(call, after) {
			if (stopping.aborted) throw unavailable("The service stops; try again.");
			requireRoom(call.identity);
			const read = async (from: bigint) =>
				feed.read({
					after: from,
					limit: streamPageLimit,
					maxBytes: streamPageBytes,
				});
			const claim = memory.open(call.identity.keyHash);
			const stream = openStream(after, read, claim, () => remove(stream));
			streams.set(stream, call);
			call.request.signal.addEventListener("abort", stream.end);
			timer ??= setInterval(tick, feedPollMs);
			return stream.body;
		},
	};
}
