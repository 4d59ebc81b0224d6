// The values of a fault rule, each with its schema and a reader with the same limits.
import type { Schema } from "../contract/schemas.ts";
import { type Members, readWhole } from "../domain/members.ts";

export interface RuleValue<Value> {
	readonly schema: Schema;
	/** Throws if the member is wrong. */
	readonly read: (members: Members, name: string) => Value;
}

/** Without a maximum, any safe integer. */
export function whole(
	description: string,
	minimum: number,
	maximum?: number,
): RuleValue<number> {
	const range = maximum === undefined ? { minimum } : { minimum, maximum };
	return {
		schema: { type: "integer", ...range, description },
		read: (members, name) =>
			readWhole(members, name, minimum, maximum ?? Number.MAX_SAFE_INTEGER),
	};
}

export function oneOf<const Value extends string>(
	description: string,
	values: readonly Value[],
): RuleValue<Value> {
	return {
		schema: { type: "string", enum: values, description },
		read(members, name) {
			const value = values.find((one) => one === members.get(name));
			if (value !== undefined) return value;
			throw members.invalid(name, `must be one of ${values.join(", ")}`);
		},
	};
}
