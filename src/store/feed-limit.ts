// Limits how many reads of the feed run at the same time. A page can be some megabytes long.
import { maxFeedReads } from "../limits.ts";
import { createBatch } from "./batch.ts";
import type { Feed, FeedPage, FeedQuery } from "./feed.ts";

/** Further reads wait, and are refused when they have waited too long. */
export function limitFeed(feed: Feed): Feed {
	const read = createBatch<FeedQuery, FeedPage | "gone">(
		async (queries) => {
			const reads = queries.map(async (query) => feed.read(query));
			await Promise.allSettled(reads);
			return reads;
		},
		{ maxSize: maxFeedReads },
	);
	return { ...feed, read };
}
