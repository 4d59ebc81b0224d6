// What both engines know of a schema: the mark of a database, its first row, and the versions that this program refuses.
import { randomBytes } from "node:crypto";
import { OperatorError } from "../domain/errors.ts";
import { maxNameLength } from "../domain/pet.ts";
import { toFirstBase } from "./feed.ts";

/** Marks a database as ours ("pe" in ASCII), of these tables. Until 1.0.0 each change of the tables adds 1; earlier marks are refused. */
export const schemaMark = 0x7065_0006;

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

/** Of an animal. Both engines count code points. */
export const isShortName = `length(name) <= ${maxNameLength}`;

/** The animal before a change is complete; one that was put back has none. */
export const hasBefore =
	"kind = 'added' OR (version IS NOT NULL AND name IS NOT NULL AND category_id IS NOT NULL AND status IS NOT NULL)";

/** The values of the only row of the table `catalogue` in a new database: its id, and the base of its feed. */
export function toNewCatalogue(): [id: string, feedBase: string] {
	return [randomBytes(4).toString("hex"), `${toFirstBase()}`];
}
