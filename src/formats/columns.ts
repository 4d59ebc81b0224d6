// The columns of a CSV file: reads the header line, and turns records into members.

import { fields, type petFields, petNames } from "../domain/pet/pet.ts";
import { toCountText } from "../domain/quantity.ts";
import { isWholeNumber } from "../domain/text.ts";
import type { NamesOf } from "../domain/types/field.ts";
import { FormatError } from "./problem.ts";

type FieldName =
	| NamesOf<typeof petFields, { isInFiles: true }>
	| NamesOf<typeof petFields, { from: "people" }>;

/** `category` has names of categories, or their ids, in place of `categoryId`. */
export type ColumnName = FieldName | "category";

export const fieldNames = petNames.filter((name): name is FieldName => {
	const { isInFiles, from } = fields[name];
	return isInFiles === true || from === "people";
});

export function isFieldName(name: string): boolean {
	return known.has(name);
}

const known = new Set<string>(fieldNames);

/** Those that an import reads. */
export const columnNames: readonly ColumnName[] = [...fieldNames, "category"];

/** In the order of the header; undefined for a column that is ignored. */
export type Columns = readonly (ColumnName | undefined)[];

export function toColumns(
	line: number,
	cells: readonly string[],
	toRequired: (columns: Columns) => readonly ColumnName[],
	ignoreUnknown: boolean,
): Columns {
	if (cells.length > maxColumns)
		throw new FormatError(
			line,
			`A file has at most ${toCountText(maxColumns)} columns.`,
		);
	const columns = cells.map((cell) =>
		columnNames.find((column) => normalize(column) === normalize(cell)),
	);
	const unknown = cells.filter((_, at) => columns[at] === undefined);
	if (unknown.length > 0 && !ignoreUnknown) {
		const names = unknown.map((cell) => JSON.stringify(cell.slice(0, 40)));
		throw new FormatError(
			line,
			`Unknown columns: ${names.slice(0, 20).join(", ")}. Those of a file are ${columnNames.join(", ")}.`,
			"ignoreUnknown",
		);
	}
	const given: Columns = columns.map((name) =>
		name === "category" ? "categoryId" : name,
	);
	const doubled = given.find((name, at) => name && given.indexOf(name) < at);
	if (doubled !== undefined)
		throw new FormatError(line, `Two columns have the ${doubled}; leave one.`);
	const missing = toRequired(columns).filter((name) => !given.includes(name));
	if (missing.length > 0)
		throw new FormatError(line, `Missing columns: ${missing.join(", ")}.`);
	return columns;
}

/** Far above a spreadsheet of animals. Each line is compared with all of them. */
export const maxColumns = 1_000;

const normalize = (name: string) => name.trim().toLowerCase();

/**
 * In the form of `parseJson`. An empty name is a name; other empty cells count as absent, since CSV cannot tell the two apart. With
 * `isUpdate`, all empty cells of a record with an id are absent.
 */
export function toMembers(
	cells: readonly string[],
	columns: Columns,
	isUpdate: boolean,
) {
	const members: Partial<Record<FieldName, unknown>> = {};
	let category: string | undefined;
	const idColumn = columns.indexOf("id");
	const isChange = isUpdate && idColumn !== -1 && cells[idColumn] !== "";
	for (const [index, column] of columns.entries()) {
		const cell = cells[index] ?? "";
		if (column === undefined) continue;
		if (cell === "" && (isChange || !mayBeEmpty.has(column))) continue;
		if (column !== "category")
			members[column] = fields[column].type.fromText(toOwn(cell));
		// No category has a whole number as its name.
		else if (/^[+-]?\d{1,20}$/.test(cell)) members.categoryId = BigInt(cell);
		// The first would stand for each number that begins with its digits; the second is no name.
		else if (isShortened(cell) || isWholeNumber(cell))
			members.categoryId = cell;
		else category = toOwn(cell);
	}
	return { ...members, category };
}

/** A cell is a part of the text of its block, all of which would stay in memory with it. Bun sees through simpler ways to copy it. */
function toOwn(cell: string): string {
	return JSON.parse(JSON.stringify(cell));
}

/** A number as a spreadsheet writes it that leaves out its last digits. */
export function isShortened(text: string): boolean {
	return /^-?\d([.,]\d+)?E\+\d+$/.test(text);
}

/** Columns whose empty cell is a value. */
const mayBeEmpty = new Set<ColumnName>(
	fieldNames.filter((name) => fields[name].type.read("", name, []) === ""),
);
