// A JSON body in the OpenAPI document: its schema and its examples; and the mark of what the interface document does not have.
import type { Examples } from "../examples.ts";
import type { Schema } from "../schemas.ts";

export interface DescribedBody {
	readonly schema: Schema;
	readonly examples?: Readonly<Record<string, { readonly value: unknown }>>;
}

export function jsonContent(
	/** Its name. */
	schema: string,
	examples: Examples = {},
	mediaType = "application/json",
): Readonly<Record<string, DescribedBody>> {
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
