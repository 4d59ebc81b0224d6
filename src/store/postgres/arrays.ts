// Rows for PostgreSQL: a parameter for each column, so that any number of rows has the same statement.
import {
	type Insertion,
	inParts,
	type OnConflict,
	type Row,
	remember,
	type Statement,
	toInsert,
} from "../sql.ts";
import { type TableName, tables } from "../tables.ts";

export function toArrayInserts({
	name,
	rows,
	onConflict,
}: Insertion): readonly Statement[] {
	const text = toText(name, onConflict);
	const columns = Object.keys(tables[name].columns);
	return [...inParts(rows)].map((part) => ({
		text,
		values: toArrays(part, columns),
	}));
}

const toText = remember((name: TableName, onConflict: OnConflict) => {
	const rules = Object.values(tables[name].columns);
	return toInsert(name, `SELECT * FROM ${toUnnest(rules)}`, onConflict);
});

/** The rows of `toArrays`, from columns with these rules. */
export function toUnnest(rules: readonly string[]): string {
	const arrays = rules.map(
		(rule, at) =>
			`$${at + 1}::${rule.startsWith("INTEGER") ? "int8" : "text"}[]`,
	);
	return `unnest(${arrays.join(", ")})`;
}

/** `{1,NULL,"a"}` for each column. The library takes longer for it. */
export function toArrays(
	rows: readonly Row[],
	columns: readonly string[],
): string[] {
	return columns.map((column) => {
		const elements = rows.map((row) => {
			const value = row[column];
			return typeof value === "string"
				? `"${value.replace(/["\\]/g, "\\$&")}"`
				: (value ?? "NULL");
		});
		return `{${elements.join(",")}}`;
	});
}
