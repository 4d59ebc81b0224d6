// Finds the surface, the path and the query of a URL. Paths match exactly; `{name}` stands for one segment, as it was sent.
import { Failure } from "../domain/errors.ts";
import type { KnownPath, Route, Surface, Target } from "./surface.ts";

export type Router = (url: string) => Target;

/** One of the surfaces must have the prefix "". A path belongs to the surface with the longest prefix, whatever routes the others have. */
export function createRouter(surfaces: readonly Surface[]): Router {
	const firstSegments = new Set(toFirstSegments(surfaces));
	// In descending order a longer prefix comes before its own prefixes, and /v1 comes first.
	const tables = surfaces
		.toSorted((one, other) => (one.prefix < other.prefix ? 1 : -1))
		.map((surface) => ({ surface, places: toPlaces(surface) }));

	function findTarget(url: string): Target {
		const { path, query } = splitUrl(url);
		const first = toFirstSegment(path);
		const firstSegment = firstSegments.has(first) ? first : "";
		for (const { surface, places } of tables)
			if (isBelow(path, surface.prefix)) {
				const { path: known, segment } = findPath(places, path);
				return { surface, firstSegment, path: known, segment, query };
			}
		throw new Error(`No surface has the path ${path}.`);
	}
	// Each animal has a path of its own.
	return remember(findTarget, ({ segment }) => segment === "");
}

function isBelow(path: string, prefix: string): boolean {
	return (
		path.startsWith(prefix) &&
		(prefix === "" || path === prefix || path[prefix.length] === "/")
	);
}

/** The parts of a pattern around its `{name}`; `after` is undefined without one. */
interface Place {
	readonly path: KnownPath;
	readonly before: string;
	readonly after: string | undefined;
}

/** Those without a `{name}` first. */
function toPlaces({ prefix, routes }: Surface): readonly Place[] {
	const places = [...Map.groupBy(routes, ({ path }) => path)].map(
		([path, ofPath]): Place => {
			const pattern = prefix + path;
			const [before = "", after, more] = pattern.split(/\{\w+\}/);
			if (more !== undefined)
				throw new Error(`${pattern} has more than one {name}.`);
			return { path: toKnownPath(pattern, ofPath), before, after };
		},
	);
	const isNamed = ({ after }: Place) => Number(after !== undefined);
	return places.sort((one, other) => isNamed(one) - isNamed(other));
}

function findPath(
	places: readonly Place[],
	sent: string,
): Pick<Target, "path" | "segment"> {
	for (const { path, before, after } of places) {
		if (after === undefined) {
			if (sent === before) return { path, segment: "" };
		} else if (sent.startsWith(before) && sent.endsWith(after)) {
			const segment = sent.slice(before.length, sent.length - after.length);
			if (segment !== "" && !segment.includes("/")) return { path, segment };
		}
	}
	return { path: undefined, segment: "" };
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
	const end = path.indexOf("/", 1);
	return path.slice(1, end === -1 ? undefined : end);
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

/** More URLs or queries than a process usually meets in a minute. Above this, all are forgotten. */
export const maxRememberedTexts = 1_000;
/** Longer texts are not remembered, so all take less than a megabyte. */
export const maxRememberedLength = 256;

/** `compute` must depend only on the text. Long texts, and values that `isKept` refuses, are not remembered. */
export function remember<Value extends object>(
	compute: (text: string) => Value,
	isKept: (value: Value) => boolean = () => true,
): (text: string) => Value {
	const values = new Map<string, Value>();
	return (text) => {
		const known = values.get(text);
		if (known !== undefined) return known;
		const value = compute(text);
		if (text.length <= maxRememberedLength && isKept(value)) {
			if (values.size >= maxRememberedTexts) values.clear();
			values.set(text, value);
		}
		return value;
	};
}
