// Method and path to a handler: paths match exactly, and `{name}` stands for one segment, taken as it was sent.
import { Failure } from "../contract/errors.ts";

export interface Route<Handler> {
	readonly method: string;
	readonly path: string;
	readonly handler: Handler;
}

/** A path that is known. */
export interface KnownPath<Handler> {
	readonly path: string;
	/** By method. */
	readonly handlers: ReadonlyMap<string, Handler>;
	/** The methods, as the header Allow lists them. */
	readonly allow: string;
}

export interface Match<Handler> {
	readonly known: KnownPath<Handler>;
	/** What stands at `{name}`. */
	readonly segment: string;
}

/** The path before and after `{name}`. */
interface Pattern<Handler> {
	readonly before: string;
	readonly after: string;
	readonly known: KnownPath<Handler>;
}

export type Router<Handler> = (path: string) => Match<Handler> | undefined;

export function createRouter<Handler>(
	routes: readonly Route<Handler>[],
): Router<Handler> {
	const plain = new Map<string, Match<Handler>>();
	const patterns: Pattern<Handler>[] = [];
	for (const [path, sharing] of Map.groupBy(routes, ({ path }) => path)) {
		const known = { path, ...toMethods(sharing) };
		const [before = "", after] = path.split(/\{\w+\}/);
		if (after === undefined) plain.set(path, { known, segment: "" });
		else patterns.push({ before, after, known });
	}
	return (path) => {
		const match = plain.get(path);
		if (match !== undefined) return match;
		for (const { before, after, known } of patterns) {
			if (!path.startsWith(before) || !path.endsWith(after)) continue;
			const segment = path.slice(before.length, path.length - after.length);
			if (segment !== "" && !segment.includes("/")) return { known, segment };
		}
		return undefined;
	};
}

/**
 * Path and query of a request's URL, by the rules of the URL standard. Where the Host header is missing or odd, Bun
 * gives no absolute URL and resolves no dot segments, so the host is left out and the rest parsed again.
 */
export function toTarget(url: string): { path: string; query: string } {
	if (plainUrl.test(url)) return splitPlain(url);
	const target = URL.parse(
		`http://localhost${url.replace(/^https?:\/\/[^/?#]*/, "")}`,
	);
	// What a CONNECT names is no path at all.
	if (target === null) return { path: "", query: "" };
	return { path: target.pathname, query: target.search.slice(1) };
}

/** Most are of this form, in which the standard changes nothing: no dots, no escapes in the path (0.05 against 0.7 µs). */
const plainUrl = /^https?:\/\/[^/?#]*\/[\w/-]*(?:\?[\w&=%.~-]*)?$/;

/** By hand: what a pattern captures is an array that a request has to pay for (1 of the 15 µs of a get). */
function splitPlain(url: string): { path: string; query: string } {
	const start = url.indexOf("/", url.indexOf("//") + 2);
	const end = url.indexOf("?", start);
	return end === -1
		? { path: url.slice(start), query: "" }
		: { path: url.slice(start, end), query: url.slice(end + 1) };
}

/** The path, or a 404. */
export function known<Handler>(
	match: Match<Handler> | undefined,
): KnownPath<Handler> {
	if (match !== undefined) return match.known;
	throw new Failure("not_found", "There is nothing at this path.");
}

/** The handler, or a 404 or a 405. */
export function allowed<Handler>(
	match: Match<Handler> | undefined,
	method: string,
): Handler {
	const { handlers, allow } = known(match);
	const handler = handlers.get(method);
	if (handler !== undefined) return handler;
	throw new Failure("method_not_allowed", `This path allows ${allow}.`, {
		headers: { Allow: allow },
	});
}

function toMethods<Handler>(routes: readonly Route<Handler>[]) {
	const handlers = new Map<string, Handler>();
	for (const { method, handler } of routes) {
		handlers.set(method, handler);
		if (method === "GET") handlers.set("HEAD", handler);
	}
	return { handlers, allow: [...handlers.keys(), "OPTIONS"].join(", ") };
}
