// What the URL of a request leads to: a surface, a route, and a query.
import { remember } from "./remember.ts";
import type { Match, Router } from "./router.ts";

export interface Target {
	readonly match: Match;
	/** The query string without its question mark. */
	readonly query: string;
}

/** The targets of `{name}` paths are not remembered, since there is another one for each animal. */
export function createTargets(route: Router): (url: string) => Target {
	return remember(
		(url) => {
			const { path, query } = splitUrl(url);
			return { match: route(path), query };
		},
		({ match }) => match.segment === "",
	);
}

/**
 * Path and query of a request's URL, by the rules of the URL standard. Where the Host header is missing or odd, Bun gives no
 * absolute URL and resolves no dot segments, so the host is left out and the rest parsed again.
 */
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

/**
 * Most URLs are of this form, which the standard leaves as it is: no dots and no escapes in the path. If all were parsed by its
 * parser, a get would take 4 % more processor time (npm run bench -- --tricks). The URLs of lists are remembered.
 */
const plainUrl = /^https?:\/\/[^/?#]*\/[\w/-]*(?:\?[\w&=%.~-]*)?$/;

function splitPlainUrl(url: string): { path: string; query: string } {
	const start = url.indexOf("/", url.indexOf("//") + 2);
	const end = url.indexOf("?", start);
	return end === -1
		? { path: url.slice(start), query: "" }
		: { path: url.slice(start, end), query: url.slice(end + 1) };
}
