// JSON text of a value with bigints. JSON.stringify takes none.

export type Json =
	| string
	| number
	| bigint
	| boolean
	| readonly Json[]
	| { readonly [name: string]: Json | undefined };

/** Members that are undefined are left out. */
export function toJson(value: Json): string {
	if (typeof value === "bigint") return String(value);
	if (typeof value !== "object") return JSON.stringify(value);
	if (isList(value)) return `[${value.map(toJson).join(",")}]`;
	const members = Object.entries(value).flatMap(([name, member]) =>
		member === undefined ? [] : [`${JSON.stringify(name)}:${toJson(member)}`],
	);
	return `{${members.join(",")}}`;
}

function isList(value: object): value is readonly Json[] {
	return Array.isArray(value);
}
