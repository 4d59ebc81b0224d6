// listChanges: a page of the feed, or a stream of it.
import type { Awaitable } from "../../../async/awaitable.ts";
import { withTimeout } from "../../../async/waiting.ts";
import {
	eventStream,
	feedAfter,
	feedLimit,
	lastEventIdName,
	positionIsGone,
	toPosition,
} from "../../../contract/operator/feed.ts";
import { readParameter } from "../../../contract/parameter.ts";
import { storeUnavailable } from "../../../domain/errors.ts";
import { prefers } from "../../../http/negotiation.ts";
import type { Reply } from "../../../http/reply.ts";
import type { ReplyMemory } from "../../../http/reply-memory.ts";
import type { Call, Route } from "../../../http/surface.ts";
import { operatorAnswerMs } from "../../../limits.ts";
import {
	type Feed,
	type FeedPage,
	type FeedQuery,
	toPageBytes,
} from "../../../store/feed.ts";
import { changeToJson, type createStreams } from "./streams.ts";

/** A page of the feed ends once its JSON may exceed this. It fits a thousand changes with names of 10 characters. */
const maxFeedPageBytes = 512 * 1024;

export function listChanges(
	feed: Feed,
	openStream: ReturnType<typeof createStreams>,
	memory: ReplyMemory,
): Route["handle"] {
	async function readPage(name: string, query: FeedQuery): Promise<FeedPage> {
		const page = await inTime(() => feed.read(query));
		if (page === "gone") throw positionIsGone(name);
		return page;
	}

	async function readAfter(query: string): Promise<bigint> {
		const after = readParameter(query, feedAfter);
		return after === "now" ? inTime(feed.last) : after;
	}

	async function answerPage(call: Call): Promise<Reply> {
		const { query, identity } = call;
		const asked = {
			after: await readAfter(query),
			limit: readParameter(query, feedLimit),
			maxBytes: maxFeedPageBytes,
		};
		const claim = memory.open(identity.keyHash);
		try {
			claim.take(toPageBytes(maxFeedPageBytes));
			const { entries, next, more } = await readPage("after", asked);
			const changes = entries.map(changeToJson).join(",");
			const body = `{"changes":[${changes}],"next":${next},"more":${more}}`;
			return { own: vary, body, claim };
		} catch (error) {
			claim.end();
			throw error;
		}
	}

	/** A wrong position is refused before the stream begins. */
	async function answerStream(call: Call): Promise<Reply> {
		const { request, query } = call;
		const after = await readAfter(query);
		readParameter(query, feedLimit);
		const lastEventId = request.headers.get(lastEventIdName) ?? "";
		const [name, start] =
			lastEventId === ""
				? ["after", after]
				: [lastEventIdName, toPosition(lastEventIdName, lastEventId)];
		await readPage(name, { after: start, limit: 1, maxBytes: 0 });
		const isHead = request.method === "HEAD";
		return {
			// Without X-Accel-Buffering, some proxies buffer events.
			own: { ...vary, "X-Accel-Buffering": "no" },
			mediaType: eventStream,
			body: isHead ? new ReadableStream() : openStream(call, start),
		};
	}

	return (call) =>
		prefers(call.request, eventStream) ? answerStream(call) : answerPage(call);
}

/** A read may queue behind others before it reaches the database. */
function inTime<Result>(read: () => Awaitable<Result>): Promise<Result> {
	return withTimeout(operatorAnswerMs, Promise.try(read), storeUnavailable);
}

const vary = { Vary: "Accept" };
