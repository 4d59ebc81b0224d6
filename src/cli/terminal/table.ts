// Tables and other text for people: a reply of an operation, columns, what may be printed on a terminal.

import { toPrintable } from "../../domain/text.ts";
import { toAge, toTimeAndAge } from "../../domain/time.ts";
import type { ListType, ObjectType } from "../../domain/types/object.ts";
import type { Members, Type } from "../../domain/types/type.ts";
import type { Command } from "../../interface/operation.ts";
import { isTerminal } from "../../program.ts";
import { isTime } from "../command.ts";

export type Values = Readonly<Record<string, unknown>>;

export function toReplyText(
	reply: Type,
	value: Values,
	{ toRow }: Command = {},
): string {
	const [listed = "", list] = listOf(reply) ?? [];
	const facts = keepMembers(
		membersOf(reply),
		(name) => ![listed, "next"].includes(name) && value[name] != null,
	);
	const shown = toFacts(toCells(facts, value, toTimeAndAge));
	if (list === undefined) return shown;
	const entries = value[listed] as readonly Values[];
	const columns = keepMembers(
		membersOf(list.item),
		(name, { isUnlisted }) =>
			!isUnlisted && entries.some((entry) => entry[name] != null),
	);
	// Several times fit into a line only as ages.
	const rows = entries.map((entry) =>
		toRow ? toRow(entry as never) : toCells(columns, entry, toAge),
	);
	return [shown, toTable(rows)].filter(Boolean).join("\n");
}

function keepMembers(
	members: Members,
	isKept: (name: string, type: Type) => boolean,
): Members {
	const kept = Object.entries(members).filter((one) => isKept(...one));
	return Object.fromEntries(kept);
}

/** Of an object; none of any other type. */
export function membersOf(type: Type | undefined): Members {
	return (type as Partial<ObjectType<Members>> | undefined)?.members ?? {};
}

/** The member of a reply that is its list. */
function listOf(reply: Type | undefined) {
	return Object.entries(membersOf(reply)).find(
		(member): member is [string, ListType<unknown>] =>
			"item" in member[1] && !member[1].isUnlisted,
	);
}

/** By their titles: `last used` of lastUsedAt, and `edit kind` of the kind in edit. */
function toCells(
	members: Members,
	values: Values,
	toTime: (at: number) => string,
): Readonly<Record<string, string>> {
	const cells: Record<string, string> = {};
	for (const [name, type] of Object.entries(members)) {
		const value = values[name];
		const title = toWords(isTime(type) ? name.replace(/At$/, "") : name);
		const inner = Object.entries(type.toText ? {} : membersOf(type));
		if (value == null) cells[title] = "";
		else if (isTime(type)) cells[title] = toTime(Number(value));
		else if (inner.length === 0)
			cells[title] = type.toText?.(value) ?? toWritten(type, value);
		else {
			const given = inner.filter(([name]) => (value as Values)[name] != null);
			const own = toCells(Object.fromEntries(given), value as Values, toTime);
			for (const [of, text] of Object.entries(own))
				cells[`${title} ${of}`] = text;
		}
	}
	return cells;
}

function toWritten(type: Type, value: unknown): string {
	return typeof value === "string" ? value : type.write(value);
}

function toWords(name: string): string {
	return name.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
}

/** Printable text, cut with an ellipsis if it is too wide. Cuts no character in two, even one of several code points. */
export function cutTo(text: string, width: number): string {
	const shown = toPrintable(text);
	if (Bun.stringWidth(shown) <= width) return shown;
	let start = "";
	for (const { segment } of new Intl.Segmenter("en").segment(shown)) {
		if (Bun.stringWidth(`${start}${segment}…`) > width) break;
		start += segment;
	}
	return `${start}…`;
}

type Row = Readonly<Record<string, string | number>>;

/**
 * Aligned columns, with numbers to the right. All rows have the same members, which name the columns. On a terminal, the widest text is cut
 * until a row fits, but to no less than 12 columns.
 */
export function toTable(rows: readonly Row[]): string {
	const columns = Object.keys(rows[0] ?? {}).map((name) => {
		const cells = rows.map((row) => toPrintable(String(row[name])));
		const isNumber =
			name !== "name" && cells.every((cell) => figure.test(cell));
		return { isNumber, cells: [name.toUpperCase(), ...cells] };
	});
	return toAligned(isTerminal(1) ? toFitting(columns) : columns);
}

interface Column {
	readonly isNumber: boolean;
	readonly cells: readonly string[];
}

function toFitting(columns: readonly Column[]): readonly Column[] {
	const width = columns.map(({ cells }) => widest(cells) + gap.length);
	// A terminal that does not know its width says 0.
	const shown = gap.length + (process.stdout.columns || 80);
	const over = width.reduce((sum, one) => sum + one, -shown);
	const [text] = columns
		.filter(({ isNumber }) => !isNumber)
		.toSorted((one, other) => widest(other.cells) - widest(one.cells));
	if (text === undefined || over <= 0) return columns;
	const left = Math.max(12, widest(text.cells) - over);
	const cells = text.cells.map((cell) => cutTo(cell, left));
	return columns.map((column) =>
		column === text ? { isNumber: false, cells } : column,
	);
}

/** A number, with or without a unit; or an empty cell. */
const figure = /^(-?[\d,.]+( ?(ms|s|%|[kMG]?B))?)?$/;

/** Named values as lines with aligned values. */
function toFacts(facts: Readonly<Record<string, string>>): string {
	return toAligned([
		{ cells: Object.keys(facts), isNumber: false },
		{ cells: Object.values(facts).map(toPrintable), isNumber: false },
	]);
}

function toAligned(columns: readonly Column[]): string {
	const padded = columns.map(({ cells, isNumber }) => {
		const width = widest(cells);
		return cells.map((cell) => {
			const spaces = " ".repeat(width - Bun.stringWidth(cell));
			return isNumber ? spaces + cell : cell + spaces;
		});
	});
	const lines = padded[0]?.map((_, line) =>
		padded.map((cells) => cells[line]).join(gap),
	);
	return (lines ?? []).map((line) => `${line.trimEnd()}\n`).join("");
}

const gap = "  ";

function widest(cells: readonly string[]): number {
	return Math.max(...cells.map((cell) => Bun.stringWidth(cell)));
}
