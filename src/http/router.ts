// Finds the surface, the path and the query of a URL. Paths match exactly; `{name}` stands for one segment, as it was sent.
import { Failure } from "../domain/errors.ts";
import type { KnownPath, Route, Surface, Target } from "./surface.ts";

/** One of the surfaces must have the prefix "". A path belongs to the surface with the longest prefix, whatever routes the others have. */
export function createRouter(surfaces: readonly Surface[]) {
	// In descending order a longer prefix comes before its own prefixes, and /v1 comes first.
	const tables = surfaces
		.toSorted((one, other) => (one.prefix < other.prefix ? 1 : -1))
		.map((surface) => ({ surface, paths: toKnownPaths(surface) }));
	const parts: ReadonlySet<string> = new Set(
		tables.flatMap(({ surface, paths }) => [
			toPart(surface.prefix),
			...paths.map(({ part }) => part),
		]),
	);

	function find(url: string): Target {
		const { path: text, query } = splitUrl(url);
		const table = tables.find(({ surface }) => isBelow(text, surface.prefix));
		if (table === undefined)
			throw new Error(`No surface has the path ${text}.`);
		const { surface, paths } = table;
		for (const path of paths) {
			const segment = path.pattern === text ? "" : path.form.exec(text)?.[1];
			if (segment !== undefined)
				return { surface, part: path.part, path, segment, query };
		}
		const named = toPart(text);
		const part = parts.has(named) ? named : "";
		return { surface, part, path: undefined, segment: "", query };
	}

	return { find, parts };
}

/** The first segment of a path, which names a part of the service. Proxies apply rules to it. */
function toPart(path: string): string {
	return path.split("/")[1] ?? "";
}

function isBelow(path: string, prefix: string): boolean {
	return (
		path.startsWith(prefix) &&
		(prefix === "" || path === prefix || path[prefix.length] === "/")
	);
}

/** In ascending order `/pets/count` comes before `/pets/{petId}`, since a brace comes after letters. */
function toKnownPaths({ prefix, routes }: Surface): readonly KnownPath[] {
	return [...Map.groupBy(routes, ({ path }) => path)]
		.map(([path, ofPath]) => toKnownPath(prefix + path, ofPath))
		.toSorted((one, other) => (one.pattern < other.pattern ? -1 : 1));
}

function toKnownPath(pattern: string, list: readonly Route[]): KnownPath {
	const parts = pattern.split(/\{\w+\}/).map(RegExp.escape);
	const routes = new Map<string, Route>();
	for (const route of list) {
		routes.set(route.method, route);
		if (route.method === "GET") routes.set("HEAD", route);
	}
	return {
		pattern,
		part: toPart(pattern),
		form: new RegExp(`^${parts.join("([^/]+)")}$`),
		routes,
		allow: [...routes.keys(), "OPTIONS"].join(", "),
	};
}

export function requirePath({ path }: Target): KnownPath {
	if (path !== undefined) return path;
	throw new Failure("not_found", "This path does not exist.");
}

/** For a path or a method that does not exist. */
export function refuseRoute(target: Target): never {
	const { allow } = requirePath(target);
	throw new Failure("method_not_allowed", `This path allows ${allow}.`, {
		headers: { Allow: allow },
	});
}

/** By the URL standard. If the Host header is missing or odd, Bun gives no absolute URL and resolves no dot segments. */
export function splitUrl(url: string): { path: string; query: string } {
	if (plainUrl.test(url)) {
		const start = url.indexOf("/", "https://".length);
		const end = url.indexOf("?", start);
		return end < 0
			? { path: url.slice(start), query: "" }
			: { path: url.slice(start, end), query: url.slice(end + 1) };
	}
	const target = URL.parse(
		`http://localhost${url.replace(/^https?:\/\/[^/?#]*/, "")}`,
	);
	// The target of CONNECT is not a path.
	if (target === null) return { path: "", query: "" };
	return { path: target.pathname, query: target.search.slice(1) };
}

/** The standard's parser leaves these URLs as they are. It would add a tenth to the processor time of a get. */
const plainUrl = /^https?:\/\/[^/?#]+\/[\w/-]*(?:\?[\w&=%.~-]*)?$/;
