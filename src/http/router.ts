// Finds the surface and the route for a path. Paths match exactly; `{name}` stands for one segment, as it was sent.
import { Failure } from "../domain/errors.ts";
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

export type Router = (path: string) => Match;

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
	return (path) => {
		for (const { prefix, find } of tables)
			if (isBelow(path, prefix)) return find(path);
		throw new Error(`No surface has the path ${path}.`);
	};
}

function isBelow(path: string, prefix: string): boolean {
	return (
		path.startsWith(prefix) &&
		(prefix === "" || path === prefix || path[prefix.length] === "/")
	);
}

function createTable(surface: Surface, firstSegments: string[]): Router {
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
