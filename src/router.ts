// Method and path to a handler: paths match exactly, and `{name}` stands for one segment, taken as it was sent.
import { Failure } from "./errors.ts";

export interface Route<Handler> {
	readonly method: string;
	readonly path: string;
	readonly handler: Handler;
}

/** A path that is known, with a handler if the method is too. */
export interface Match<Handler> {
	readonly path: string;
	/** What stands at `{name}`. */
	readonly segment: string;
	readonly handler: Handler | undefined;
	/** The methods of the path, as the header Allow lists them. */
	readonly allow: string;
}

export type Router<Handler> = (
	method: string,
	path: string,
) => Match<Handler> | undefined;

export function createRouter<Handler>(
	routes: readonly Route<Handler>[],
): Router<Handler> {
	const paths = [...Map.groupBy(routes, ({ path }) => path)].map(
		([path, routes]) => ({
			path,
			pattern: toPattern(path),
			...toMethods(routes),
		}),
	);
	return (method, path) => {
		for (const { pattern, handlers, ...known } of paths) {
			const found = pattern.exec(path);
			if (found !== null) {
				const [, segment = ""] = found;
				return { ...known, segment, handler: handlers.get(method) };
			}
		}
		return undefined;
	};
}

/**
 * Path and query of a request's URL, by the rules of the URL standard. Where the Host header is missing or odd, Bun
 * gives no absolute URL and resolves no dot segments, so the host is left out and the rest parsed again.
 */
export function toTarget(url: string): { path: string; query: string } {
	const target = URL.parse(
		`http://localhost${url.replace(/^https?:\/\/[^/?#]*/, "")}`,
	);
	// What a CONNECT names is no path at all.
	if (target === null) return { path: "", query: "" };
	return { path: target.pathname, query: target.search.slice(1) };
}

/** The match, or a 404. */
export function known<Handler>(
	match: Match<Handler> | undefined,
): Match<Handler> {
	if (match !== undefined) return match;
	throw new Failure("not_found", "There is nothing at this path.");
}

/** The match with its handler, or a 404 or a 405. */
export function allowed<Handler>(
	match: Match<Handler> | undefined,
): Match<Handler> & { handler: Handler } {
	const { handler, ...path } = known(match);
	if (handler !== undefined) return { ...path, handler };
	throw new Failure("method_not_allowed", `This path allows ${path.allow}.`, {
		headers: { Allow: path.allow },
	});
}

function toPattern(path: string): RegExp {
	const literals = path.split(/\{\w+\}/).map((text) => RegExp.escape(text));
	return new RegExp(`^${literals.join("([^/]+)")}$`);
}

function toMethods<Handler>(routes: readonly Route<Handler>[]) {
	const handlers = new Map<string, Handler>();
	for (const { method, handler } of routes) {
		handlers.set(method, handler);
		if (method === "GET") handlers.set("HEAD", handler);
	}
	return { handlers, allow: [...handlers.keys(), "OPTIONS"].join(", ") };
}
