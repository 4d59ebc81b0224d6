// listChanges: a page of the feed.
import type { Awaitable } from "../../async/awaitable.ts";
import { withTimeout } from "../../async/waiting.ts";
import {
	feedAfter,
	feedLimit,
	positionIsGone,
} from "../../contract/operator/feed.ts";
import { readParameter } from "../../contract/parameter.ts";
import { storeUnavailable } from "../../domain/errors.ts";
import { storedPetToJson } from "../../domain/pet.ts";
import type { Route } from "../../http/surface.ts";
import { operatorAnswerMs } from "../../limits.ts";
import type { Feed, FeedEntry } from "../../store/feed.ts";

export function listChanges(feed: Feed): Route["handle"] {
	return async ({ query }) => {
		const after = readParameter(query, feedAfter);
		const limit = readParameter(query, feedLimit);
		const start = after === "now" ? await inTime(feed.last) : after;
		const page = await inTime(() => feed.read({ after: start, limit }));
		if (page === "gone") throw positionIsGone();
		const changes = page.entries.map(changeToJson).join(",");
		return {
			body: `{"changes":[${changes}],"next":${page.next},"more":${page.more}}`,
		};
	};
}

/** A read may queue behind others before it reaches the database. */
function inTime<Result>(read: () => Awaitable<Result>): Promise<Result> {
	return withTimeout(operatorAnswerMs, Promise.try(read), storeUnavailable);
}

/** JSON.stringify takes no bigint, so the integers are written by hand. */
function changeToJson({ position, kind, petId, pet }: FeedEntry): string {
	const content = pet === undefined ? "" : `,"pet":${storedPetToJson(pet)}`;
	return `{"position":${position},"kind":"${kind}","petId":${petId}${content}}`;
}
