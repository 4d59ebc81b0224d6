// The reply of an operation as text for people: its list as a table, another reply as lines.
import { toAge, toTimeAndAge } from "../../domain/time.ts";
import type { ListType, Members, ObjectType, Type } from "../../domain/type.ts";
import type { Command } from "../../interface/operation.ts";
import { toFacts, toTable } from "./table.ts";

export type Values = Readonly<Record<string, unknown>>;

export function toReplyText(
	reply: Type,
	value: Values,
	{ columns, toRow }: Command = {},
): string {
	const list = listOf(reply);
	if (list === undefined && toRow) return toFacts(toRow(value as never));
	if (list === undefined) {
		const members = membersOf(reply);
		const given = Object.keys(members).filter((name) => value[name] != null);
		return toFacts(toCells(members, value, given, toTimeAndAge));
	}
	const [name, { item }] = list;
	const members = membersOf(item);
	const entries = value[name] as readonly Values[];
	if (toRow)
		return toTable(
			entries.map((entry) => toRow(entry as never)),
			"change",
		);
	const filled = (columns ?? Object.keys(members)).filter((column) =>
		entries.some((entry) => entry[column] != null),
	);
	// Several times fit into a line only as ages.
	return toTable(
		entries.map((entry) => toCells(members, entry, filled, toAge)),
		"name",
	);
}

/** Of an object; none of any other type. */
export function membersOf(type: Type | undefined): Members {
	return (type as Partial<ObjectType<Members>> | undefined)?.members ?? {};
}

/** The member of a reply that is a list. */
export function listOf(reply: Type | undefined) {
	return Object.entries(membersOf(reply)).find(
		(member): member is [string, ListType<unknown>] => "item" in member[1],
	);
}

export function isTime(type: Type | undefined): boolean {
	return type?.schema.format === "date-time";
}

/** By their titles: `last used` of lastUsedAt. */
function toCells(
	members: Members,
	values: Values,
	names: readonly string[],
	toTimeCell: (at: number) => string,
): Readonly<Record<string, string>> {
	return Object.fromEntries(
		names.flatMap((name) => {
			const type = members[name];
			if (type === undefined) return [];
			const value = values[name];
			if (!isTime(type)) return [[toWords(name), toCell(type, value)]];
			const cell = value == null ? "" : toTimeCell(Number(value));
			return [[toWords(name.replace(/At$/, "")), cell]];
		}),
	);
}

function toCell(type: Type, value: unknown): string {
	if (value == null) return "";
	return typeof value === "string" ? value : type.write(value);
}

function toWords(name: string): string {
	return name.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
}
