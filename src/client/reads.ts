// Reads a page or an animal with its ETag, for later conditional reads.
import {
	type CallOptions,
	requireCall,
	requireKnown,
	type Settings,
} from "./options.ts";
import { type Pet, type PetStatus, requireType, toPet } from "./pet.ts";
import { isNotModified, PetstoreError, type Reply, readBody } from "./reply.ts";
import { type Outgoing, send } from "./send.ts";

export interface PageQuery {
	readonly status?: PetStatus | undefined;
	/** The most animals on a page. */
	readonly limit?: number | undefined;
}

export interface ReadOptions extends CallOptions {
	readonly ifNoneMatch?: undefined;
}

export interface ConditionalOptions extends CallOptions {
	/** The `etag` of an earlier read. */
	readonly ifNoneMatch: string | undefined;
}

export interface Page {
	readonly pets: readonly Pet[];
	readonly etag: string | undefined;
	/** The URL of the next page; undefined on the last one. */
	readonly next: string | undefined;
}

export interface PetVersion {
	readonly pet: Pet;
	readonly etag: string | undefined;
}

export type Reads = ReturnType<typeof createReads>;

export function createReads(settings: Settings) {
	const { base } = settings;

	/** Undefined for a 304 to a conditional read. Rejects any other 304: it has no body. */
	async function read<Value>(
		request: Outgoing,
		options: ReadOptions | ConditionalOptions,
		toValue: (json: unknown, reply: Reply) => Value,
	): Promise<Value | undefined> {
		requireCall(options, "ifNoneMatch");
		const { ifNoneMatch } = options;
		const isConditional = ifNoneMatch !== undefined;
		const headers = isConditional ? { "If-None-Match": ifNoneMatch } : {};
		const reply = await send(settings, { ...request, headers }, options);
		if (isConditional && isNotModified(reply)) return undefined;
		return readBody(reply, (json) => toValue(json, reply));
	}

	/** Reads the first page of a query, or the page at `next` of an earlier page, with its ETag. */
	function readPage(
		from?: PageQuery | string,
		options?: ReadOptions,
	): Promise<Page>;
	/** Undefined if the ETag is still `ifNoneMatch`. */
	function readPage(
		from: PageQuery | string | undefined,
		options: ConditionalOptions,
	): Promise<Page | undefined>;
	async function readPage(
		from: PageQuery | string = {},
		options: ReadOptions | ConditionalOptions = {},
	): Promise<Page | undefined> {
		const url = toPageUrl(base, from);
		return read({ operation: "listPets", url }, options, (json, reply) => ({
			pets: toPets(json),
			etag: toEtag(reply),
			next: toNext(url, reply),
		}));
	}

	/** Reads an animal with its ETag. */
	function readPet(id: bigint, options?: ReadOptions): Promise<PetVersion>;
	/** Undefined if the ETag is still `ifNoneMatch`. */
	function readPet(
		id: bigint,
		options: ConditionalOptions,
	): Promise<PetVersion | undefined>;
	async function readPet(
		id: bigint,
		options: ReadOptions | ConditionalOptions = {},
	): Promise<PetVersion | undefined> {
		requireType("id", id, "bigint");
		const url = `${base}/pets/${id}`;
		return read({ operation: "getPet", url }, options, (json, reply) => ({
			pet: toPet(json),
			etag: toEtag(reply),
		}));
	}

	return { readPage, readPet };
}

/** Refuses a page at another origin, which would get the key. */
function toPageUrl(base: string, from: PageQuery | string): string {
	if (typeof from !== "string") return `${base}/pets${toSearch(from)}`;
	const { origin } = new URL(base);
	const url = new URL(from, base);
	if (url.origin === origin) return url.href;
	throw new PetstoreError(
		"invalid_reply",
		`The next page is at ${from}, but the key is only for ${origin}.`,
	);
}

function toSearch(query: PageQuery): string {
	const names = ["status", "limit"] as const;
	requireKnown(query, names);
	const parameters = names
		.filter((name) => query[name] !== undefined)
		.map((name) => `${name}=${encodeURIComponent(String(query[name]))}`);
	return parameters.length === 0 ? "" : `?${parameters.join("&")}`;
}

function toPets(json: unknown): Pet[] {
	if (!Array.isArray(json)) throw new Error("the body is not an array");
	return json.map(toPet);
}

function toEtag({ headers }: Reply): string | undefined {
	return headers.get("ETag") ?? undefined;
}

function toNext(url: string, reply: Reply): string | undefined {
	const target = findNext(reply.headers.get("Link") ?? "");
	if (target === undefined) return undefined;
	const next = new URL(target, reply.url).href;
	// A loop over the pages would never end.
	if (next === url) throw new Error("the page names itself as the next one");
	return next;
}

/** The target of the first `next` link in a Link header (RFC 8288), not resolved. */
export function findNext(header: string): string | undefined {
	for (const [, target, parameters = ""] of header.matchAll(links)) {
		const { rel = "", anchor } = toParameters(parameters);
		// A link with an anchor is about another resource.
		if (anchor === undefined && /(^|\s)next(\s|$)/i.test(rel)) return target;
	}
	return undefined;
}

const links = /<([^>]*)>((?:[^",]|"(?:[^"\\]|\\.)*")*)/g;
const parameter =
	/;\s*([^\s=;]+)\s*(?:=\s*(?:"((?:[^"\\]|\\.)*)"|([^\s;]*)))?/g;

/** The first of repeated parameters counts, as RFC 8288 says for `rel`. */
function toParameters(text: string): Partial<Record<string, string>> {
	const found = [...text.matchAll(parameter)].map(
		([, name = "", quoted, token = ""]) => [
			name.toLowerCase(),
			quoted?.replace(/\\(.)/g, "$1") ?? token,
		],
	);
	return Object.fromEntries(found.reverse());
}
