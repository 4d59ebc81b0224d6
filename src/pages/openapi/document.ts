// An OpenAPI document as the reference shows it: read once from its JSON text, integers exact.
import { parseExactly } from "../../contract/json.ts";
import { type Operation, readOperations } from "./operations.ts";
import { type NamedShape, readSchemas } from "./schemas.ts";
import { recordAt, textAt } from "./values.ts";

export interface ApiDocument {
	readonly title: string;
	readonly version: string;
	readonly summary: string;
	readonly description: string;
	/** How a caller says who it is. */
	readonly authentication: string;
	readonly operations: readonly Operation[];
	readonly schemas: readonly NamedShape[];
}

export function readDocument(text: string): ApiDocument {
	const document = parseExactly(text, maxDepth);
	const schemes = recordAt(document, "components", "securitySchemes");
	return {
		title: textAt(document, "info", "title"),
		version: textAt(document, "info", "version"),
		summary: textAt(document, "info", "summary"),
		description: textAt(document, "info", "description"),
		authentication: Object.values(schemes)
			.map((scheme) => textAt(scheme, "description"))
			.join(" "),
		operations: readOperations(document),
		schemas: readSchemas(document),
	};
}

/** Of a document, deeper than any of ours. */
const maxDepth = 100;
