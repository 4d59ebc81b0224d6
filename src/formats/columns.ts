// The columns of a CSV file: reads the header line, and turns records into members.
import type { NamesOf } from "../domain/field.ts";
import { fields, type petFields, petNames } from "../domain/pet.ts";

export type ColumnName =
	| NamesOf<typeof petFields, { isInFiles: true }>
	| NamesOf<typeof petFields, { from: "client" }>;

export const columnNames = petNames.filter((name): name is ColumnName => {
	const { isInFiles, from } = fields[name];
	return isInFiles === true || from === "client";
});

/** In the order of the header; undefined for a column that is ignored. */
export type Columns = readonly (ColumnName | undefined)[];

/** The whole file cannot be read. */
export class FormatError extends Error {
	readonly line: number;

	constructor(line: number, message: string) {
		super(message);
		this.line = line;
	}
}

export function toColumns(
	line: number,
	fields: readonly string[],
	required: readonly ColumnName[],
	ignoreUnknown: boolean,
): Columns {
	const columns = fields.map((field) => {
		const name = normalize(field);
		const known = columnNames.find((column) => normalize(column) === name);
		if (known !== undefined || ignoreUnknown) return known;
		throw new FormatError(
			line,
			`Unknown column ${JSON.stringify(field.slice(0, 40))}; the columns are ${columnNames.join(", ")}. Others can be ignored.`,
		);
	});
	const doubled = columns.find(
		(name, at) => name !== undefined && columns.indexOf(name) < at,
	);
	if (doubled !== undefined)
		throw new FormatError(line, `Duplicate column ${doubled}.`);
	const missing = required.find((name) => !columns.includes(name));
	if (missing !== undefined)
		throw new FormatError(line, `Missing column ${missing}.`);
	return columns;
}

function normalize(name: string): string {
	return name.trim().toLowerCase();
}

/** In the form of `parseJson`. An empty name is a name; other empty cells count as absent, since CSV cannot tell the two apart. */
export function toMembers(
	cells: readonly string[],
	columns: Columns,
	isUpdate: boolean,
): Readonly<Partial<Record<ColumnName, unknown>>> {
	const members: Partial<Record<ColumnName, unknown>> = {};
	for (let index = 0; index < columns.length; index++) {
		const column = columns[index];
		const cell = cells[index] ?? "";
		if (column !== undefined && (cell !== "" || mayBeEmpty.has(column)))
			members[column] = fields[column].type.fromText(cell);
	}
	if (isUpdate && members.id !== undefined)
		for (const column of columns)
			if (column && fields[column].isOptional) members[column] ??= null;
	return members;
}

/** Columns whose empty cell is a value. */
const mayBeEmpty = new Set(
	columnNames.filter((name) => fields[name].type.read("", name, []) === ""),
);
