// Moves repeated headers, parameters and replies of a document to its components, and refers to them.
import { isObject } from "../../domain/unknown.ts";

interface Document {
	readonly paths: object;
	readonly components: { readonly schemas: object };
}

export function withComponents<Given extends Document>(document: Given): Given {
	return kinds.reduce(shareRepeated, document);
}

/** Inner parts first: equal replies then have equal references in them. */
const kinds = ["headers", "parameters", "responses"] as const;
type Kind = (typeof kinds)[number];

function shareRepeated<Given extends Document>(
	document: Given,
	kind: Kind,
): Given {
	const { paths, components } = document;
	// Some generators make a type of each component and ignore case in its name.
	const taken = new Set(
		Object.keys(components.schemas).map((name) => name.toLowerCase()),
	);
	const names = new Map<string, string>();
	const shared: Record<string, unknown> = {};
	for (const [text, [first, second]] of toGroups(paths, kind)) {
		if (first === undefined || second === undefined) continue;
		const isTaken = taken.has(first.name.toLowerCase());
		const name = isTaken ? `${first.name}-${first.operationId}` : first.name;
		taken.add(name.toLowerCase());
		names.set(text, name);
		shared[name] = first.part;
	}
	if (names.size === 0) return document;
	const toReference = (part: unknown) => {
		const name = names.get(JSON.stringify(part));
		return name === undefined ? part : { $ref: `#/components/${kind}/${name}` };
	};
	return {
		...document,
		paths: inObject(paths, (item) => inParts(item, kind, toReference)),
		components: { ...components, [kind]: shared },
	};
}

/** The parts of this kind by JSON text, each with its name and operation. */
function toGroups(paths: object, kind: Kind) {
	const parts: { name: string; part: unknown; operationId: unknown }[] = [];
	const operations: unknown[] = Object.values(paths).flatMap(Object.values);
	for (const operation of operations)
		inParts(operation, kind, (part, key) => {
			const name = kind === "responses" ? `Reply${key}` : key;
			const operationId = isObject(operation) ? operation.operationId : "";
			parts.push({ name, part, operationId });
			return part;
		});
	return Map.groupBy(parts, ({ part }) => JSON.stringify(part));
}

type Replace = (part: unknown, key: string) => unknown;

/** Replaces the parts of one kind. Skips examples, which are data, and links, whose `parameters` are something else. */
function inParts(value: unknown, kind: Kind, replace: Replace): unknown {
	return inMembers(value, (member, name = "") => {
		if (name === kind) return inNamed(member, replace);
		return /^(example|links)$/.test(name)
			? member
			: inParts(member, kind, replace);
	});
}

/** Parameters are a list with names; other parts are an object by name. */
function inNamed(parts: unknown, replace: Replace): unknown {
	return Array.isArray(parts)
		? parts.map((one) => replace(one, isObject(one) ? String(one.name) : ""))
		: inMembers(parts, (part, name = "") => replace(part, name));
}

type Convert = (value: unknown, name?: string) => unknown;

export function inMembers(value: unknown, convert: Convert): unknown {
	if (Array.isArray(value)) return value.map((member) => convert(member));
	return isObject(value) ? inObject(value, convert) : value;
}

export function inObject(object: object, convert: Convert): object {
	return Object.fromEntries(
		Object.entries(object).map(([name, value]) => [name, convert(value, name)]),
	);
}
