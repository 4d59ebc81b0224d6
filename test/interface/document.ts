// Reads an OpenAPI document for the tests: its operations, with references resolved.

export interface Documented {
	readonly operationId: string;
	readonly parameters: readonly {
		readonly name: string;
		readonly in: string;
		readonly schema: object;
		readonly example?: unknown;
	}[];
	readonly requestBody?: Body;
	readonly responses: Readonly<Record<string, Body>>;
}
interface Body {
	readonly description?: string;
	readonly headers?: object;
	readonly content?: {
		readonly [mediaType: string]: { readonly example?: unknown } | undefined;
		readonly "application/json"?: {
			readonly schema: { readonly $ref: string };
			readonly example?: unknown;
		};
	};
}

/** The operations by path and method. Resolves all references except those to schemas. */
export function pathsIn(document: {
	readonly paths: object;
	readonly components: object;
}): Readonly<Record<string, Readonly<Record<string, Documented>>>> {
	const components = new Map<string, object>(
		Object.entries(document.components),
	);
	const toPart = (_name: string, part: unknown) => {
		if (typeof part !== "object" || part === null || !("$ref" in part))
			return part;
		const [, , kind = "", name = ""] = String(part.$ref).split("/");
		const shared = new Map(Object.entries(components.get(kind) ?? {}));
		return kind === "schemas" ? part : shared.get(name);
	};
	return JSON.parse(JSON.stringify(document.paths, toPart));
}
