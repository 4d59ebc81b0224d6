// What both engines know of a schema: the first rows of a new database, which steps it lacks, and what this program refuses.
import { OperatorError } from "../domain/errors.ts";
import type { Access } from "./engine.ts";
import { toFirstBase } from "./feed.ts";

export function refuseEarlier(name: string): OperatorError {
	return new OperatorError(
		`${name} was made by another program, or by an earlier checkout of this one; choose another database.`,
	);
}

/** The steps to run on a database that has had `version` of them. */
export function toMissing(
	steps: readonly string[],
	version: number,
	name: string,
	access: Access,
): readonly string[] {
	if (version > steps.length)
		throw new OperatorError(
			`${name} has schema ${version} of a newer version; this version knows schema ${steps.length}. Use the newer version, or restore a backup from before the upgrade.`,
		);
	if (version === 0 && access !== "create")
		throw new OperatorError(
			`${name} holds no pet store; choose another database.`,
		);
	return access === "read" ? [] : steps.slice(version);
}

/** Of the tables with one row. */
export function toFirstRows(): string {
	return `INSERT INTO counter (one, last, base) VALUES (1, 0, '${toFirstBase()}');
		INSERT INTO catalogue (one, id, last_key_id, backup_failures) VALUES (1, '${newCatalogueId()}', 0, 0)`;
}

export function newCatalogueId(): string {
	// Not by node:crypto, which takes long to load.
	return crypto.getRandomValues(new Uint8Array(4)).toHex();
}
