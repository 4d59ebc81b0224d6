// listPets: a page of animals, newest first.
import { type Awaitable, after } from "../../async/awaitable.ts";
import { readPlace, toCursor } from "../../contract/cursor.ts";
import { toIndexed } from "../../contract/filter.ts";
import { readParameter } from "../../contract/parameter.ts";
import { cursor, limit, versionPrefix } from "../../contract/v1/operations.ts";
import { type Pet, petToJson } from "../../domain/pet.ts";
import { remember } from "../../http/remember.ts";
import {
	isMatched,
	type Reply,
	toNotModified,
	toTag,
	withHeaders,
} from "../../http/reply.ts";
import type { Call, Route } from "../../http/surface.ts";
import type { Catalogue, Page } from "../../store/catalogue.ts";

export function listPets(
	catalogue: Catalogue,
	onPage: (isCached: boolean) => void = () => {},
): Route["handle"] {
	// Caches encoded pages: the catalogue returns the same array until something changes.
	const pages = new WeakMap<readonly Pet[], EncodedPage>();

	function toReply(pets: readonly Pet[], { call, asked }: Context): Reply {
		let page = pages.get(pets);
		onPage(page !== undefined);
		if (page === undefined) {
			page = encode(pets, asked, call.headers);
			pages.set(pets, page);
		}
		return isMatched(call.request, page.tag) ? page.notModified : page.reply;
	}

	const readQuery = remember(toAsked);

	return (call): Awaitable<Reply> => {
		const asked = readQuery(call.query);
		return after(catalogue.listPets(asked.page), toReply, { call, asked });
	};
}

type Asked = ReturnType<typeof toAsked>;

function toAsked(query: string) {
	const size = readParameter(query, limit);
	const { filter, maxId } = readPlace(query, cursor);
	// One extra animal shows whether another page follows.
	const page: Page = { limit: size + 1, maxId, ...toIndexed(filter) };
	return { limit: size, filter, page };
}

interface Context {
	readonly call: Call;
	readonly asked: Asked;
}

type EncodedPage = ReturnType<typeof encode>;

function encode(found: readonly Pet[], asked: Asked, headers: Headers) {
	const pets = found.slice(0, asked.limit);
	const body = `[${pets.map(petToJson).join(",")}]`;
	const last = found.length > pets.length ? pets.at(-1) : undefined;
	// The last page has its own ETag: if all later animals are removed, a 304 could not take the cached Link back.
	const tag = toTag(last === undefined ? `${body} last page` : body);
	const own = { ETag: tag, ...(last && { Link: linkToNext(asked, last.id) }) };
	const reply = { headers: withHeaders(headers, own), body };
	return { tag, reply, notModified: toNotModified(reply) };
}

/** The members of a filter have the names of their query parameters. */
function linkToNext({ limit, filter }: Asked, lastId: bigint): string {
	const next = { limit, ...filter, cursor: toCursor(lastId, filter) };
	const parameters = Object.entries(next)
		.filter(([, value]) => value !== undefined)
		.map(([name, value]) => `${name}=${encodeURIComponent(String(value))}`);
	return `<${versionPrefix}/pets?${parameters.join("&")}>; rel="next"`;
}
