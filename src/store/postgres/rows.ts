// Animals in parameters of statements: a statement takes the values of many animals as one array for each column.
import { fields, givenNames } from "../../domain/pet.ts";

export const givenTypes = givenNames.map((name) =>
	fields[name].type.column === "TEXT" ? "text" : "int8",
);

/** `$5::text[], $6::int8[]` */
export function toArrays(types: readonly string[], first = 1): string {
	return types.map((type, index) => `$${first + index}::${type}[]`).join(", ");
}
