// A JSON body in the OpenAPI document: its schema and its examples; and the mark of what the interface document does not have.
import type { Examples } from "../operation.ts";

export function jsonContent(
	/** Its name. */
	schema: string,
	examples: Examples = {},
	mediaType = "application/json",
): object {
	return {
		[mediaType]: {
			schema: { $ref: `#/components/schemas/${schema}` },
			examples: Object.fromEntries(
				Object.entries(examples).map(([name, value]) => [name, { value }]),
			),
		},
	};
}

export const mark = "x-addition";
export const addition = { [mark]: true };
