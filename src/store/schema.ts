// What both engines know of a schema: the first rows of a new database, and what this program refuses.
import { OperatorError } from "../domain/errors.ts";
import { toFirstBase } from "./feed.ts";
import type { Statement } from "./sql.ts";

export function refuseEarlier(name: string): OperatorError {
	return new OperatorError(
		`${name} was made by another program, or by an earlier checkout of this one; choose another database.`,
	);
}

export function refuseMissing(name: string): OperatorError {
	return new OperatorError(
		`${name} holds no pet store; choose another database.`,
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

/** Of the tables with one row. */
export function toFirstRows(): readonly Statement[] {
	return [
		{
			text: "INSERT INTO counter (one, last, base) VALUES (1, 0, $1)",
			values: [`${toFirstBase()}`],
		},
		{
			text: "INSERT INTO catalogue (one, id, last_key_id, backup_failures) VALUES (1, $1, 0, 0)",
			values: [newCatalogueId()],
		},
	];
}

export function newCatalogueId(): string {
	// Not by node:crypto, which takes long to load.
	return crypto.getRandomValues(new Uint8Array(4)).toHex();
}
