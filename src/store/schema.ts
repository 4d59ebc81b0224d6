// What both engines know of a schema: the mark of a database, its first row, and the versions that this program refuses.
import { OperatorError } from "../domain/errors.ts";
import { fields, type StoredPet } from "../domain/pet.ts";
import { contentNames, toSqlName } from "./archive/tables.ts";
import { toFirstBase } from "./feed.ts";
import { addedNames } from "./rows.ts";

/** Marks a database as ours ("pe" in ASCII), of these tables. Until 1.0.0 each change of the tables adds 1; earlier marks are refused. */
export const schemaMark = 0x7065_0007;

/** Whether another version of this program has made the database. */
export function isOtherMark(mark: number): boolean {
	return mark >>> 16 === schemaMark >>> 16 && mark !== schemaMark;
}

export function refuseEarlier(name: string): OperatorError {
	return new OperatorError(
		`${name} holds a pet store of an earlier checkout, which this version cannot use; choose another database.`,
	);
}

export function refuseNewer(
	version: number,
	known: number,
	name: string,
): void {
	if (version > known)
		throw new OperatorError(
			`${name} has schema ${version} of a newer version; this version knows schema ${known}. Use the newer version, or restore a backup from before the upgrade.`,
		);
}

/** A condition of both engines. */
export function isOneOf(column: string, values: readonly string[]): string {
	return `${column} IN (${values.map((value) => `'${value}'`).join(", ")})`;
}

/** The types of columns in an engine. */
type ColumnTypes = Readonly<Record<"INTEGER" | "TEXT", string>>;

/** The columns of an animal but its id and version. From 1.0.0 on a step is fixed, and a new field is a step of its own. */
export function toPetColumns(types: ColumnTypes): string {
	return addedNames
		.map((name) => {
			const { type, isOptional } = fields[name];
			const rule = isOptional ? "" : " NOT NULL";
			return `${toSqlName(name)} ${types[type.column]}${rule}${toCheck(name)}`;
		})
		.join(",\n\t\t");
}

/** The animal before a change, in the history. All are NULL for one that was put back. */
export function toContentColumns(types: ColumnTypes): string {
	const required = contentNames.filter((name) => !fields[name].isOptional);
	const isWhole = required.map((name) => `${toSqlName(name)} IS NOT NULL`);
	const columns = contentNames.map(
		(name) =>
			`${toSqlName(name)} ${types[fields[name].type.column]}${toCheck(name)}`,
	);
	const check = `CHECK (kind = 'added' OR (${isWhole.join(" AND ")}))`;
	return [...columns, check].join(",\n\t\t");
}

/** Both engines count code points. */
function toCheck(name: keyof StoredPet): string {
	const check = fields[name].type.toCheck?.(toSqlName(name));
	return check === undefined ? "" : ` CHECK (${check})`;
}

/** The values of the only row of the table `catalogue` in a new database: its id, and the base of its feed. */
export function toNewCatalogue(): [id: string, feedBase: string] {
	// Not by node:crypto, which takes long to load.
	const id = crypto.getRandomValues(new Uint8Array(4)).toHex();
	return [id, `${toFirstBase()}`];
}
