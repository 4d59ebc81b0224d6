// What the operations of the operator interface have in common, and the form of its parts.
import { anyBody, anyOperation, error, notJson } from "../examples.ts";
import type { Interface } from "../operation.ts";
import { type Described, type Operation, toOperation } from "../operation.ts";

/** One subject of the operator interface: animals, keys, sessions, usage or status. interface.ts puts the parts together. */
export type Part<Id extends string> = Pick<
	Interface<Id>,
	"operations" | "schemas" | "tags"
>;

/** An operation that needs the scope `operator`, if it names no other. `errors` are those that not every operation has. */
export function forOperators(
	described: Omit<Described, "errors"> & Partial<Pick<Described, "errors">>,
): Operation {
	const { body, errors } = described;
	return toOperation({
		scope: "operator",
		...described,
		errors: {
			...anyOperation,
			forbidden,
			...(body !== undefined && { ...anyBody, ...invalidBody({}) }),
			...errors,
		},
	});
}

export const forbidden = {
	readKey: error(
		"forbidden",
		"The API key needs the scope operator; its scope is read.",
	),
};

/** Examples of `invalid_body`, given by their messages. */
export function invalidBody(examples: Readonly<Record<string, string>>) {
	return {
		invalid_body: {
			notJson,
			...Object.fromEntries(
				Object.entries(examples).map(([name, message]) => [
					name,
					error("invalid_body", message),
				]),
			),
		},
	};
}
