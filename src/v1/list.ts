// listPets: a page of animals, newest first. It answers without a promise where the store does: with one, a list takes 7 % more processor
// time.

import type { Awaitable } from "../domain/async.ts";
import { cursorOf, limitOf, readStart, toCursor } from "../domain/cursor.ts";
import { filters, toIndexed } from "../domain/filter.ts";
import { type Pet, petToJson } from "../domain/pet.ts";
import { toQuery } from "../domain/text.ts";
import { requireValid } from "../domain/type.ts";
import { readQuery } from "../http/operations.ts";
import {
	isMatched,
	type Reply,
	toNotModified,
	toTag,
	withHeaders,
} from "../http/reply.ts";
import type { Call } from "../http/surface.ts";
import type { Page } from "../store/catalogue.ts";
import {
	type ClientOperation,
	type ClientService,
	Pets,
	versionPrefix,
} from "./operation.ts";

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

export function listPets(service: ClientService, call: Call): Awaitable<Reply> {
	const { epoch, catalogue } = service;
	const asked = epoch ? toAsked(call.query, epoch()) : remember(call.query);
	const found = catalogue.listPets(asked.page);
	return found instanceof Promise
		? found.then((pets) => toReply(pets, asked, call))
		: toReply(found, asked, call);
}

type Asked = ReturnType<typeof toAsked>;

/** Queries that are read often. Above this number, all are forgotten. They all take less than a megabyte. */
const maxRemembered = 1_000;
const maxRememberedLength = 256;
const remembered = new Map<string, Asked>();

function remember(query: string): Asked {
	const known = remembered.get(query);
	if (known !== undefined) return known;
	const asked = toAsked(query);
	if (remembered.size >= maxRemembered) remembered.clear();
	if (query.length <= maxRememberedLength) remembered.set(query, asked);
	return asked;
}

function toAsked(text: string, epoch = "") {
	const broken: string[] = [];
	const { limit, cursor, ...filter } = readQuery(text, query, broken);
	requireValid(broken, "invalid_parameter");
	const maxId = readStart(cursor, filter, epoch);
	// One extra animal shows whether another page follows.
	const page: Page = { limit: limit + 1, maxId, ...toIndexed(filter) };
	return { limit, filter, page, epoch };
}

/** Encoded pages: the catalogue returns the same array until something changes. */
const pages = new WeakMap<readonly Pet[], EncodedPage>();

type EncodedPage = ReturnType<typeof encode>;

function toReply(pets: readonly Pet[], asked: Asked, call: Call): Reply {
	let page = pages.get(pets);
	if (page === undefined) {
		page = encode(pets, asked, call.headers);
		pages.set(pets, page);
	}
	return isMatched(call.request, page.tag) ? page.notModified : page.reply;
}

function encode(found: readonly Pet[], asked: Asked, headers: Headers) {
	const pets = found.slice(0, asked.limit);
	const body = `[${pets.map(petToJson).join(",")}]`;
	const last = found.length > pets.length ? pets.at(-1) : undefined;
	// The last page has its own ETag: if all later animals are removed, a 304 could not take the cached Link back.
	const tag = toTag(
		`${body}${last === undefined ? " last page" : ""}${asked.epoch}`,
	);
	const own = { ETag: tag, ...(last && { Link: linkToNext(asked, last.id) }) };
	const reply = { headers: withHeaders(headers, own), body };
	return { tag, reply, notModified: toNotModified(reply) };
}

function linkToNext({ limit, filter, epoch }: Asked, lastId: bigint): string {
	const cursor = toCursor(lastId, filter, epoch);
	const query = toQuery({ limit, ...filter, cursor });
	return `<${versionPrefix}/pets?${query}>; rel="next"`;
}
