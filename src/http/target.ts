// Finds the surface, the route and the query for a URL.
import { remember } from "./remember.ts";
import type { Match, Router } from "./router.ts";

export interface Target {
	readonly match: Match;
	/** The query string without its question mark. */
	readonly query: string;
}

/** `{name}` paths are not remembered, since each animal has its own. */
export function createTargets(route: Router): (url: string) => Target {
	return remember(
		(url) => {
			const { path, query } = splitUrl(url);
			return { match: route(path), query };
		},
		({ match }) => match.segment === "",
	);
}

/** By the URL standard. If the Host header is missing or odd, Bun gives no absolute URL and resolves no dot segments. */
export function splitUrl(url: string): { path: string; query: string } {
	if (plainUrl.test(url)) return splitPlainUrl(url);
	const target = URL.parse(
		`http://localhost${url.replace(/^https?:\/\/[^/?#]*/, "")}`,
	);
	// The target of CONNECT is not a path.
	if (target === null) return { path: "", query: "" };
	return { path: target.pathname, query: target.search.slice(1) };
}

/** Path and query as one text. */
export function toTargetText(url: string): string {
	const { path, query } = splitUrl(url);
	return query === "" ? path : `${path}?${query}`;
}

/** The standard's parser leaves these URLs as they are. It would add 4 % to the processor time of a get. */
const plainUrl = /^https?:\/\/[^/?#]*\/[\w/-]*(?:\?[\w&=%.~-]*)?$/;

function splitPlainUrl(url: string): { path: string; query: string } {
	const start = url.indexOf("/", url.indexOf("//") + 2);
	const end = url.indexOf("?", start);
	return end === -1
		? { path: url.slice(start), query: "" }
		: { path: url.slice(start, end), query: url.slice(end + 1) };
}
