// The animals of an imported file, in a temporary SQLite file that only this user may read.
import { Database } from "bun:sqlite";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { OperatorError, toReason } from "../../../domain/errors.ts";
import {
	fields,
	givenNames,
	type NewPet,
	toPatch,
} from "../../../domain/pet.ts";
import type { ImportMode, StagedPet, Staging } from "../../import.ts";
import { isGiven, toGiven, toList } from "../../rows.ts";
import { connectionOptions } from "../database.ts";

/** Animals that an import adds at once. Signals and the progress wait that long. */
export const importRows = 1_000;
/** Text of the names that an import adds at once. */
const maxImportLength = 256 * 1024;

export function openStaging(mode: ImportMode): Staging {
	const folder = orCannotStage(() =>
		mkdtempSync(join(tmpdir(), "petstore-import-")),
	);
	const remove = () => rmSync(folder, { recursive: true, force: true });
	const path = join(folder, "staged.db");
	const hasIds = mode === "update";
	const db = orCannotStage(() => openFile(path, hasIds), remove);
	const insert = prepareInsert(db, hasIds, 1);
	const insertMany = prepareInsert(db, hasIds, rowsAtOnce);
	const findLine = db.query<{ line: bigint }, [bigint | null]>(
		"SELECT line FROM staged WHERE id = ?",
	);
	let count = 0;
	/** Rows that are not inserted yet. */
	let waiting: StagedValues[] = [];

	/** Without ids no line can be a duplicate, so many can be inserted at once. */
	function insertLater(values: StagedValues): undefined {
		if (waiting.push(values) < rowsAtOnce) return;
		orCannotStage(() => insertMany.run(...waiting.flat()));
		waiting = [];
	}

	/** Returns the line that has the same id, if any. */
	function insertNow(
		values: StagedValues,
		id: bigint | null,
	): number | undefined {
		return orCannotStage(() =>
			Number(insert.run(...values).changes) === 0
				? Number(findLine.get(id)?.line)
				: undefined,
		);
	}

	return {
		path,
		count: () => count,
		read: (done = 0) => readStaged(db, BigInt(done)),
		add(line, pet) {
			const { id = null, version = null, ...set } = pet;
			const values: StagedValues = [line, id, version, toGiven(set)];
			for (const name of givenNames) values.push(set[name] ?? null);
			const same = hasIds ? insertNow(values, id) : insertLater(values);
			if (same === undefined) count++;
			return same;
		},
		finish: () =>
			orCannotStage(() => {
				for (const values of waiting) insert.run(...values);
				db.run("COMMIT");
			}),
		close() {
			db.close();
			remove();
		},
	};
}

/** Rows in one INSERT: several are faster than one. */
const rowsAtOnce = 32;

type StagedValues = (string | number | bigint | null)[];

function prepareInsert(db: Database, hasIds: boolean, rows: number) {
	const row = `(?, ?, ?, ?, ${toList(givenNames, () => "?")})`;
	const values = Array(rows).fill(row).join(", ");
	return db.query<never, StagedValues>(
		`INSERT ${hasIds ? "OR IGNORE " : ""}INTO staged (line, id, version, given, ${toList(givenNames)}) VALUES ${values}`,
	);
}

/** It is used once and then removed, so it needs neither a journal nor syncs. `number` has no gaps. */
function openFile(path: string, hasIds: boolean): Database {
	const db = new Database(path, { ...connectionOptions, create: true });
	db.run("PRAGMA journal_mode = OFF");
	db.run("PRAGMA synchronous = OFF");
	db.run(`CREATE TABLE staged (
		number INTEGER PRIMARY KEY,
		line INTEGER NOT NULL,
		id INTEGER,
		version INTEGER,
		given INTEGER NOT NULL, -- see toGiven
		${toList(givenNames, (column, name) => `${column} ${fields[name].type.column}`)}
	) STRICT`);
	if (hasIds) db.run("CREATE UNIQUE INDEX staged_ids ON staged (id)");
	db.run("BEGIN");
	return db;
}

function orCannotStage<Result>(
	work: () => Result,
	onFailure = () => {},
): Result {
	try {
		return work();
	} catch (error) {
		onFailure();
		throw new OperatorError(
			`The temporary file in ${tmpdir()} cannot be written: ${toReason(error)}. Nothing was imported; set TMPDIR to use another folder.`,
		);
	}
}

function* readStaged(
	db: Database,
	done: bigint,
): Generator<readonly StagedPet[]> {
	const page = db.query<
		Omit<StagedPet, "line" | "set"> &
			NewPet &
			Readonly<Record<"number" | "line" | "given", bigint>>,
		[bigint, number]
	>(
		`SELECT number, line, id, version, given, ${toList(givenNames, (column, name) => `${column} AS ${name}`)}
		FROM staged WHERE number > ? ORDER BY number LIMIT ?`,
	);
	for (let after = done; ; ) {
		const rows: StagedPet[] = [];
		let length = 0;
		for (const row of page.iterate(after, importRows)) {
			const { number, line, id, version, given } = row;
			const set = toPatch((name) =>
				isGiven(given, name) ? row[name] : undefined,
			);
			rows.push({ line: Number(line), id, version, set });
			after = number;
			length += set.name?.length ?? 0;
			if (length >= maxImportLength) break;
		}
		if (rows.length === 0) return;
		yield rows;
	}
}
