// A point in time in a query parameter: RFC 3339, in milliseconds since 1970 once it was read.
import { invalid, type Parameter } from "./parameter.ts";
import { readTime, timeRule } from "./time.ts";

export function instant(options: {
	name: string;
	description: string;
}): Parameter<number | undefined> {
	return {
		...options,
		schema: { type: "string", format: "date-time" },
		addition: false,
		read(text) {
			if (text === undefined) return undefined;
			const at = readTime(text);
			if (at !== undefined) return at;
			throw invalid(options.name, timeRule);
		},
	};
}
