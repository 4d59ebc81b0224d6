// Replaces the members of a part of a document.
import { isObject } from "../members.ts";

/** The name is that of the member, if it is one. */
export type Convert = (value: unknown, name?: string) => unknown;

export function inMembers(value: unknown, convert: Convert): unknown {
	if (Array.isArray(value)) return value.map((member) => convert(member));
	return isObject(value) ? inObject(value, convert) : value;
}

export function inObject(object: object, convert: Convert): object {
	return Object.fromEntries(
		Object.entries(object).map(([name, value]) => [name, convert(value, name)]),
	);
}
