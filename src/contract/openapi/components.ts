// Describes once what a document would have several times: repeated examples, headers, parameters and replies become components, and
// references take their places.
import { isObject } from "../../domain/members.ts";

interface Document {
	readonly paths: object;
	readonly components: { readonly schemas: object };
}

export function withComponents<Given extends Document>(document: Given): Given {
	return kinds.reduce(shareRepeated, document);
}

/** Inner parts first, so that replies are compared with the references in them. */
const kinds = ["examples", "headers", "parameters", "responses"] as const;
type Kind = (typeof kinds)[number];

function shareRepeated<Given extends Document>(
	document: Given,
	kind: Kind,
): Given {
	const { paths, components } = document;
	// Some generators make a type of each component, by its name without regard to case.
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

/** The parts of this kind by their JSON texts, each with its name and where it was found. */
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

/** Replaces the parts of one kind. Examples are data, and the parameters of a link are of another kind: nothing is replaced in them. */
function inParts(value: unknown, kind: Kind, replace: Replace): unknown {
	return inMembers(value, (member, name = "") => {
		if (name === kind) return inNamed(member, replace);
		return /^(examples|links)$/.test(name)
			? member
			: inParts(member, kind, replace);
	});
}

/** Parameters are in a list and have their names; other parts are in an object, by their names. */
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
