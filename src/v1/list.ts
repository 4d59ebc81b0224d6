// listPets: a page of animals, newest first. It answers without a promise where the store does: with one, a list takes 7 % more processor
// time.

import type { Awaitable } from "../domain/async.ts";
import {
	cursorOf,
	limitOf,
	readStart,
	toCursor,
} from "../domain/pet/cursor.ts";
import { filters, toIndexed } from "../domain/pet/filter.ts";
import { toQuery } from "../domain/text.ts";
import { requireValid } from "../domain/types/type.ts";
import { readQuery } from "../http/operations.ts";
import {
	type Reply,
	toNotModified,
	toTag,
	withHeaders,
} from "../http/reply.ts";
import type { Call } from "../http/surface.ts";
import type { Page } from "../store/animals/catalogue.ts";
import {
	type ClientOperation,
	type ClientService,
	Pets,
	versionPrefix,
} from "./operation.ts";
import { type Pet, petType } from "./pet.ts";
import { answer, type Kept } from "./replies.ts";

const query = {
	limit: limitOf("animals"),
	status: filters.status,
	cursor: cursorOf(
		'Where a further page begins: taken from the `Link` header with `rel="next"`, for use with the same `status`.',
	),
};

export const list: ClientOperation = {
	method: "GET",
	path: "/pets",
	scope: "read",
	summary: "List animals",
	description:
		"Newest first. When more animals follow, the reply has a `Link` to the next page.",
	query,
	additions: ["cursor"],
	reply: Pets,
	headers: ["ETag", "Link"],
	named: ["unauthenticated"],
	answer: listPets,
};

export function listPets(
	{ resets, catalogue, replies }: ClientService,
	call: Call,
): Awaitable<Reply> {
	const { query, headers } = call;
	const afterResets = resets?.() ?? "";
	const prepare = () => {
		const asked = toAsked(query, afterResets);
		return () => {
			const found = catalogue.listPets(asked.page);
			return found instanceof Promise
				? found.then((pets) => toKept(pets, asked, headers))
				: toKept(found, asked, headers);
		};
	};
	// Further pages are seldom requested twice.
	const isKept = !query.includes("cursor");
	return answer(
		isKept ? replies(toKey(afterResets, query), prepare) : prepare()(),
		call,
	);
}

/** Only a sandbox has resets. Without them no text is made for each list. */
const toKey = (resets: string, query: string) =>
	resets === "" ? query : `${resets} ${query}`;

type Asked = ReturnType<typeof toAsked>;

function toAsked(text: string, resets: string) {
	const broken: string[] = [];
	const { limit, cursor, ...filter } = readQuery(text, query, broken);
	requireValid(broken, "invalid_parameter");
	const maxId = readStart(cursor, filter, resets);
	// One extra animal shows whether another page follows.
	const page: Page = { limit: limit + 1, maxId, ...toIndexed(filter) };
	return { limit, filter, page, resets };
}

function toKept(found: readonly Pet[], asked: Asked, headers: Headers): Kept {
	const pets = found.slice(0, asked.limit);
	const body = `[${pets.map(petType.write).join(",")}]`;
	const last = found.length > pets.length ? pets.at(-1) : undefined;
	// The last page has its own ETag: if all later animals are removed, a 304 could not take the Link of a kept reply back.
	const tag = toTag(
		`${body}${last === undefined ? " last page" : ""}${asked.resets}`,
	);
	const own = { ETag: tag, ...(last && { Link: linkToNext(asked, last.id) }) };
	const reply = { headers: withHeaders(headers, own), body };
	return { tag, reply, notModified: toNotModified(reply) };
}

function linkToNext({ limit, filter, resets }: Asked, lastId: bigint): string {
	const cursor = toCursor(lastId, filter, resets);
	const query = toQuery({ limit, ...filter, cursor });
	return `<${versionPrefix}/pets?${query}>; rel="next"`;
}
