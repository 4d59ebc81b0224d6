// Finds the surface and the route for a path. Paths match exactly, and `{name}` stands for one segment, taken as it was sent.
import { Failure } from "../contract/errors.ts";
import type { Route, Surface } from "./surface.ts";

export interface Match {
	readonly surface: Surface;
	/** Undefined if the surface has nothing at this path. */
	readonly known: KnownPath | undefined;
	/** What stands at `{name}`. */
	readonly segment: string;
}

interface KnownPath {
	/** With the prefix and `{name}`, as the log shows it. */
	readonly pattern: string;
	/** By method. */
	readonly routes: ReadonlyMap<string, Route>;
	/** The methods, as the header Allow lists them. */
	readonly allow: string;
}

export type Router = (path: string) => Match;

/** One of the surfaces must have the prefix "". */
export function createRouter(surfaces: readonly Surface[]): Router {
	const routers = surfaces
		.toSorted((one, other) => other.prefix.length - one.prefix.length)
		.map((surface) => ({
			isBelow: toPrefixTest(surface.prefix),
			find: createSurfaceRouter(surface),
		}));
	return (path) => {
		for (const { isBelow, find } of routers)
			if (isBelow(path)) return find(path);
		throw new Error(`No surface has the path ${path}.`);
	};
}

function toPrefixTest(prefix: string): (path: string) => boolean {
	const start = `${prefix}/`;
	return (path) => prefix === "" || path.startsWith(start) || path === prefix;
}

/** Only for paths below the prefix of the surface. */
function createSurfaceRouter(surface: Surface): Router {
	const plain = new Map<string, Match>();
	const withName: { before: string; after: string; known: KnownPath }[] = [];
	for (const [path, routes] of Map.groupBy(
		surface.routes,
		({ path }) => path,
	)) {
		const pattern = surface.prefix + path;
		const known = toKnownPath(pattern, routes);
		const [before = "", after, more] = pattern.split(/\{\w+\}/);
		if (more !== undefined)
			throw new Error(`${pattern} has more than one {name}.`);
		if (after === undefined)
			plain.set(pattern, { surface, known, segment: "" });
		else withName.push({ before, after, known });
	}
	const notFound = { surface, known: undefined, segment: "" };

	function find(path: string): Match {
		for (const { before, after, known } of withName) {
			if (!path.startsWith(before) || !path.endsWith(after)) continue;
			const segment = path.slice(before.length, path.length - after.length);
			if (segment !== "" && !segment.includes("/"))
				return { surface, known, segment };
		}
		return notFound;
	}

	return (path) => plain.get(path) ?? find(path);
}

function toKnownPath(pattern: string, list: readonly Route[]): KnownPath {
	const routes = new Map<string, Route>();
	for (const route of list) {
		routes.set(route.method, route);
		if (route.method === "GET") routes.set("HEAD", route);
	}
	const allow = [...routes.keys(), "OPTIONS"].join(", ");
	return { pattern, routes, allow };
}

/** What is known of the path, or a 404. */
export function requirePath({ known }: Match): KnownPath {
	if (known !== undefined) return known;
	throw new Failure("not_found", "There is nothing at this path.");
}

/** The route, or a 404 or 405. */
export function requireRoute(match: Match, method: string): Route {
	const { routes, allow } = requirePath(match);
	const route = routes.get(method);
	if (route !== undefined) return route;
	throw new Failure("method_not_allowed", `This path allows ${allow}.`, {
		headers: { Allow: allow },
	});
}

/**
 * Path and query of a request's URL, by the rules of the URL standard. Where the Host header is missing or odd, Bun gives no
 * absolute URL and resolves no dot segments, so the host is left out and the rest parsed again.
 */
export function toTarget(url: string): { path: string; query: string } {
	if (plainUrl.test(url)) return splitPlainUrl(url);
	const target = URL.parse(
		`http://localhost${url.replace(/^https?:\/\/[^/?#]*/, "")}`,
	);
	// The target of CONNECT is not a path.
	if (target === null) return { path: "", query: "" };
	return { path: target.pathname, query: target.search.slice(1) };
}

/**
 * Most URLs are of this form, which the standard leaves as it is: no dots and no escapes in the path. If all were parsed by its
 * parser, a list would take 5 % more processor time (npm run bench -- --tricks).
 */
const plainUrl = /^https?:\/\/[^/?#]*\/[\w/-]*(?:\?[\w&=%.~-]*)?$/;

function splitPlainUrl(url: string): { path: string; query: string } {
	const start = url.indexOf("/", url.indexOf("//") + 2);
	const end = url.indexOf("?", start);
	return end === -1
		? { path: url.slice(start), query: "" }
		: { path: url.slice(start, end), query: url.slice(end + 1) };
}
