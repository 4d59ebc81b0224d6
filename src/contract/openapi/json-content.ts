// A JSON body in the OpenAPI document: its schema and its examples; and the mark of what the interface document does not have.
import type { SchemaName } from "../operation.ts";

/** Values by the names of the examples. */
export type Examples = Readonly<Record<string, unknown>>;

export function jsonContent(
	schema: SchemaName,
	examples: Examples = {},
): object {
	return {
		"application/json": {
			schema: { $ref: `#/components/schemas/${schema}` },
			examples: Object.fromEntries(
				Object.entries(examples).map(([name, value]) => [name, { value }]),
			),
		},
	};
}

export const addition = { "x-addition": true };
