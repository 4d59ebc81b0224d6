// The columns of a CSV file: reads the header line, and turns records into members.
import { maxInt64, minInt64 } from "../domain/json.ts";

export const columnNames = [
	"id",
	"name",
	"categoryId",
	"status",
	"version",
] as const;
export type ColumnName = (typeof columnNames)[number];

/** In the order of the header; undefined for a column that is ignored. */
export type Columns = readonly (ColumnName | undefined)[];

/** The whole file cannot be read. */
export class FormatError extends Error {
	readonly line: number;
	/** What a person can do about it on the command line. */
	readonly hint: string;

	constructor(line: number, message: string, hint = "") {
		super(message);
		this.line = line;
		this.hint = hint;
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
			`Unknown column ${JSON.stringify(field.slice(0, 40))}; the columns are ${columnNames.join(", ")}.`,
			" Use --ignore-unknown to skip others.",
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

/** In the form of `parseJson`. An empty name is a name; other empty fields count as absent, since CSV cannot tell the two apart. */
export function toMembers(
	fields: readonly string[],
	columns: Columns,
): Readonly<Partial<Record<ColumnName, unknown>>> {
	const members: Partial<Record<ColumnName, unknown>> = {};
	for (let index = 0; index < columns.length; index++) {
		const column = columns[index];
		const field = fields[index] ?? "";
		if (column === "name") members.name = field;
		else if (column !== undefined && field !== "")
			members[column] = column === "status" ? field : toWhole(field);
	}
	return members;
}

/** The bigint of a plain whole number; any other text breaks the rule of its member. */
function toWhole(text: string): bigint | string {
	if (!/^(0|-?[1-9][0-9]{0,18})$/.test(text)) return text;
	const value = BigInt(text);
	return value >= minInt64 && value <= maxInt64 ? value : text;
}
