// Method and path to a handler: paths match exactly, and `{name}` stands for one segment, taken as it was sent.

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
