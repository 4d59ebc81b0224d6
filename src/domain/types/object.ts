// The types of objects and lists.

import { toCountText } from "../quantity.ts";
import { isObject, parseText } from "./json.ts";
import {
	type Members,
	readMembers,
	refuse,
	type Type,
	type ValueOf,
	type ValuesOf,
} from "./type.ts";

export interface ListType<Item, Of = Type<Item>> extends Type<readonly Item[]> {
	readonly item: Of;
}

export function list<Item, Of>(
	item: Type<Item> & Of,
	maximum: number,
	minimum = 0,
): ListType<Item, Of> {
	const rule = `must be a list of ${minimum} to ${toCountText(maximum)} entries`;
	return {
		item,
		schema: {
			type: "array",
			...(minimum > 0 && { minItems: minimum }),
			maxItems: maximum,
			items: item.schema,
		},
		read(json, name, broken) {
			if (
				!Array.isArray(json) ||
				json.length < minimum ||
				json.length > maximum
			)
				return refuse(broken, name, rule);
			const items: Item[] = [];
			const known = broken.length;
			// A long list may have as many broken rules, so it names those of one entry.
			for (const [index, one] of json.entries())
				if (broken.length === known)
					items.push(item.read(one, `${name}[${index}]`, broken));
			return items;
		},
		fromText: (text) => text.split(",").map(item.fromText),
		write: (items) => `[${items.map((one) => item.write(one)).join(",")}]`,
	};
}

export interface ObjectType<Of extends Members> extends Type<ValuesOf<Of>> {
	readonly members: Of;
}

/** Drops unknown members. Without a title, documents have its schema where it is used. */
export function object<const Of extends Members>(
	title: string,
	description: string,
	members: Of,
): ObjectType<Of> {
	const entries = Object.entries<Type>(members);
	// OpenAPI 3.0 allows no empty list.
	const required = entries
		.filter(([, { isOptional }]) => !isOptional)
		.map(([name]) => name);
	return {
		members,
		schema: {
			...(title !== "" && { title }),
			type: "object",
			description,
			...(required.length > 0 && { required }),
			properties: Object.fromEntries(
				entries.map(([name, { schema }]) => [name, schema]),
			),
		},
		read: (json, name, broken) =>
			isObject(json)
				? readMembers(
						members,
						new Map(Object.entries(json)),
						broken,
						name && `${name}.`,
					)
				: refuse(broken, name, "must be a JSON object"),
		fromText: fromJsonText,
		write(value) {
			let written = "";
			for (const [name, type] of entries) {
				const member = value[name];
				// What falls back to null is absent if it is null.
				if (member === undefined || (member === null && type.fallback === null))
					continue;
				written += `${written && ","}"${name}":${type.write(member)}`;
			}
			return `{${written}}`;
		},
	};
}

/** For what a caller sends: refuses unknown members, since a misspelt one must not be ignored. */
export function closedObject<const Of extends Members>(
	title: string,
	description: string,
	members: Of,
): ObjectType<Of> {
	const open = object(title, description, members);
	return {
		...open,
		schema: { ...open.schema, additionalProperties: false },
		read(json, name, broken) {
			for (const one of isObject(json) ? Object.keys(json) : [])
				if (!Object.hasOwn(members, one))
					broken.push(toUnknown(one, Object.keys(members), name && `${name}.`));
			return open.read(json, name, broken);
		},
	};
}

/** An object that has exactly one of these members, which says its type. */
export function choice<
	const Of extends Readonly<Record<string, ObjectType<Members>>>,
>(title: string, description: string, types: Of): Type<ValueOf<Of[keyof Of]>> {
	const names = Object.keys(types);
	const typeOf = (value: object) => {
		const [name, ...others] = names.filter((one) => Object.hasOwn(value, one));
		return name === undefined || others.length > 0 ? undefined : types[name];
	};
	return {
		schema: {
			title,
			description,
			oneOf: Object.values(types).map(({ schema }) => schema),
		},
		read(json, name, broken) {
			if (!isObject(json)) return refuse(broken, name, "must be a JSON object");
			const type = typeOf(json);
			return type === undefined
				? refuse(broken, name, `must have either ${names.join(" or ")}`)
				: (type.read(json, name, broken) as ValueOf<Of[keyof Of]>);
		},
		fromText: fromJsonText,
		write: (value) => typeOf(value as object)?.write(value as never) ?? "",
	};
}

export function fromJsonText(given: string): unknown {
	try {
		return parseText(given, maxTextDepth);
	} catch {
		return given;
	}
}

/** A text of JSON, for example of a header or a flag, needs no depth. */
const maxTextDepth = 20;

/** The sentence about an unknown name. It repeats no text that may be an API key in the wrong place. */
export function toUnknown(
	name: string,
	names: readonly string[],
	prefix = "",
): string {
	const shown = /^[\w-]{1,24}$/.test(name) ? name : "A name";
	return `${prefix}${shown} is unknown; the known ones are ${names.join(", ")}.`;
}
