// Finds the surface, the route and the query for a URL. Paths match exactly; `{name}` stands for one segment, as it was sent.
import { Failure } from "../domain/errors.ts";
import { remember } from "./remember.ts";
import type { Route, Surface } from "./surface.ts";

export interface Match {
	readonly surface: Surface;
	/** "" if no path of the service begins with it. */
	readonly firstSegment: string;
	/** Undefined if the surface does not have this path. */
	readonly known: KnownPath | undefined;
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

export interface Target {
	readonly match: Match;
	/** The query string without its question mark. */
	readonly query: string;
}

export type Router = (url: string) => Target;

/** One of the surfaces must have the prefix "". A path belongs to the surface with the longest prefix, whatever routes the others have. */
export function createRouter(surfaces: readonly Surface[]): Router {
	const firstSegments = toFirstSegments(surfaces);
	// In descending order a longer prefix comes before its own prefixes, and /v1 comes first.
	const tables = surfaces
		.toSorted((one, other) => (one.prefix < other.prefix ? 1 : -1))
		.map((surface) => ({
			prefix: surface.prefix,
			find: createTable(surface, firstSegments),
		}));
	function toTarget(url: string): Target {
		const { path, query } = splitUrl(url);
		for (const { prefix, find } of tables)
			if (isBelow(path, prefix)) return { match: find(path), query };
		throw new Error(`No surface has the path ${path}.`);
	}
	// `{name}` paths are not remembered, since each animal has its own.
	return remember(toTarget, ({ match }) => match.segment === "");
}

function isBelow(path: string, prefix: string): boolean {
	return (
		path.startsWith(prefix) &&
		(prefix === "" || path === prefix || path[prefix.length] === "/")
	);
}

function createTable(
	surface: Surface,
	firstSegments: string[],
): (path: string) => Match {
	const plain = new Map<string, Match>();
	const withName: { before: string; after: string; match: Match }[] = [];
	const toKnown = (path: string) => {
		const first = toFirstSegment(path);
		return firstSegments.includes(first) ? first : "";
	};
	const byPath = Map.groupBy(surface.routes, ({ path }) => path);
	for (const [path, routes] of byPath) {
		const pattern = surface.prefix + path;
		const known = toKnownPath(pattern, routes);
		const firstSegment = toKnown(pattern);
		const match = { surface, firstSegment, known, segment: "" };
		const [before = "", after, more] = pattern.split(/\{\w+\}/);
		if (more !== undefined)
			throw new Error(`${pattern} has more than one {name}.`);
		if (after === undefined) plain.set(pattern, match);
		else withName.push({ before, after, match });
	}

	function findNamed(path: string): Match | undefined {
		for (const { before, after, match } of withName) {
			if (!path.startsWith(before) || !path.endsWith(after)) continue;
			const { firstSegment, known } = match;
			const segment = path.slice(before.length, path.length - after.length);
			if (segment !== "" && !segment.includes("/"))
				return { surface, firstSegment, known, segment };
		}
		return undefined;
	}

	return (path) =>
		plain.get(path) ??
		findNamed(path) ?? {
			surface,
			firstSegment: toKnown(path),
			known: undefined,
			segment: "",
		};
}

/** Of all paths of the service. */
export function toFirstSegments(surfaces: readonly Surface[]): string[] {
	const paths = surfaces.flatMap(({ prefix, routes }) => [
		prefix,
		...routes.map(({ path }) => prefix + path),
	]);
	return [...new Set(paths.map(toFirstSegment))].filter(Boolean);
}

function toFirstSegment(path: string): string {
	return path.split("/", 2)[1] ?? "";
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

export function requirePath({ known }: Match): KnownPath {
	if (known !== undefined) return known;
	throw new Failure("not_found", "This path does not exist.");
}

/** For a path or a method that does not exist. */
export function refuseRoute(match: Match): never {
	const { allow } = requirePath(match);
	throw new Failure("method_not_allowed", `This path allows ${allow}.`, {
		headers: { Allow: allow },
	});
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

/** The standard's parser leaves these URLs as they are. It would add 4 % to the processor time of a get. */
const plainUrl = /^https?:\/\/[^/?#]*\/[\w/-]*(?:\?[\w&=%.~-]*)?$/;

function splitPlainUrl(url: string): { path: string; query: string } {
	const start = url.indexOf("/", url.indexOf("//") + 2);
	const end = url.indexOf("?", start);
	return end === -1
		? { path: url.slice(start), query: "" }
		: { path: url.slice(start, end), query: url.slice(end + 1) };
}
