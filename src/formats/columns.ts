// The columns of a CSV file, from its header line, and the members of an animal that its fields are.
import { maxInt64, minInt64 } from "../domain/json.ts";

export const columnNames = ["id", "name", "categoryId", "status"] as const;
export type ColumnName = (typeof columnNames)[number];
export type Columns = readonly ColumnName[];

/** The file cannot be read, whatever its other lines are. */
export class FormatError extends Error {
	readonly line: number;

	constructor(line: number, message: string) {
		super(message);
		this.line = line;
	}
}

/** Throws a FormatError if a column is unknown, missing or there twice. */
export function toColumns(
	line: number,
	fields: readonly string[],
	keepIds: boolean,
): Columns {
	const columns = fields.map((field) => {
		const name = columnNames.find((known) => known === field);
		if (name !== undefined) return name;
		throw new FormatError(
			line,
			`The column ${JSON.stringify(field.slice(0, 40))} is unknown; known are ${columnNames.join(", ")}.`,
		);
	});
	const doubled = columns.find((name, at) => columns.indexOf(name) < at);
	if (doubled !== undefined)
		throw new FormatError(line, `The column ${doubled} is there twice.`);
	const required: Columns = [
		...(keepIds ? (["id"] as const) : []),
		...(["name", "categoryId"] as const),
	];
	const missing = required.find((name) => !columns.includes(name));
	if (missing !== undefined)
		throw new FormatError(line, `The column ${missing} is missing.`);
	return columns;
}

/** As `parseJson` would return them. CSV cannot tell an empty field from none: an empty name is a name, the others count as absent. */
export function toMembers(
	fields: readonly string[],
	columns: Columns,
): Readonly<Partial<Record<ColumnName, unknown>>> {
	const members: Partial<Record<ColumnName, unknown>> = {};
	for (const [index, column] of columns.entries()) {
		const field = fields[index] ?? "";
		if (column === "name") members.name = field;
		else if (field !== "")
			members[column] = column === "status" ? field : toWhole(field);
	}
	return members;
}

/** The bigint of a plain whole number, or else the text, which breaks the rule of its member. */
function toWhole(text: string): bigint | string {
	if (!/^(0|-?[1-9][0-9]{0,18})$/.test(text)) return text;
	const value = BigInt(text);
	return value >= minInt64 && value <= maxInt64 ? value : text;
}
