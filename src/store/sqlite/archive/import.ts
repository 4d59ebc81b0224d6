// Adds the animals of a staging file to a SQLite file, in one transaction of one connection that has both files.
import type { Database } from "bun:sqlite";
import { setTimeout as sleep } from "node:timers/promises";
import {
	findImport,
	type Imported,
	type ImportOptions,
	type Imports,
	maxToldErrors,
	requireIds,
	type Staged,
	type Taken,
} from "../../import.ts";
import { beginLong, commit, connect, retryWhileBusy } from "../database.ts";
import { toFailure } from "../errors.ts";
import { readLastId } from "../feed/epoch.ts";
import { memory } from "../files/file.ts";
import { guarded, guardFile } from "../files/file-guard.ts";
import { checkpointAll } from "../files/wal.ts";
import { toReads, toSql } from "../sql.ts";
import { importRows } from "./staging.ts";

export function openImports(db: Database, path: string): Imports {
	async function withStaged<Result>(
		{ path: stagedPath }: Staged,
		use: (db: Database) => Promise<Result>,
	): Promise<Result> {
		// A database in memory has no second connection.
		const connection = path === memory ? db : connect(path);
		connection.run("ATTACH ? AS staging", [stagedPath]);
		try {
			return await use(connection);
		} finally {
			connection.run("DETACH staging");
			if (connection !== db) connection.close();
		}
	}

	return {
		find: (importId) => findImport(toReads(db), importId),
		findTaken: (staged) =>
			withStaged(staged, (db) => retryWhileBusy(() => findTaken(db))),
		write: (staged, options) =>
			withStaged(staged, async (db) => {
				const imported = await guarded(guardFile(path), async () => {
					await beginLong(db, options);
					return addAll(db, staged, options);
				});
				if (path !== memory) await checkpointAll(db);
				return imported;
			}),
	};
}

/** For commands that only read, whose connection may not write. */
export function readImports(db: Database): Pick<Imports, "find" | "findTaken"> {
	return {
		find: (importId) => findImport(toSql(db), importId),
		async findTaken({ path }) {
			db.run("ATTACH ? AS staging", [path]);
			try {
				return findTaken(db);
			} finally {
				db.run("DETACH staging");
			}
		},
	};
}

async function addAll(
	db: Database,
	staged: Staged,
	options: ImportOptions,
): Promise<Imported> {
	try {
		const refused = await refuse(db, staged, options);
		if (refused !== undefined) {
			db.run("ROLLBACK");
			return refused;
		}
		const before = readLastId(db);
		await addPets(db, staged, options);
		if (options.keepIds) addChanges(db, before);
		if (options.importId !== undefined)
			db.run(
				"INSERT INTO imports (id, animals, finished_at) VALUES (?, ?, ?)",
				[options.importId, staged.count(), Date.now()],
			);
		commit(db);
		return { outcome: "added" };
	} catch (error) {
		if (db.inTransaction) db.run("ROLLBACK");
		throw toFailure(error);
	}
}

async function refuse(
	db: Database,
	staged: Staged,
	{ keepIds, importId }: ImportOptions,
): Promise<Imported | undefined> {
	const finished =
		importId === undefined ? undefined : await findImport(toSql(db), importId);
	if (finished !== undefined) return { outcome: "repeated", ...finished };
	if (!keepIds) {
		requireIds(readLastId(db), BigInt(staged.count()));
		return undefined;
	}
	const taken = findTaken(db);
	return taken.count > 0 ? { outcome: "taken", ...taken } : undefined;
}

/** In parts, so that a signal to stop is noticed in between. */
export async function addPets(
	db: Database,
	staged: Staged,
	{ keepIds, onProgress, signal }: ImportOptions,
): Promise<void> {
	const id = keepIds ? "id, " : "";
	const add = db.query<never, [number, number]>(
		`INSERT INTO main.pets (${id}name, category_id, status, added_at)
		SELECT ${id}name, category_id, status, ${Date.now()} FROM staging.staged WHERE number > ? AND number <= ? ORDER BY number`,
	);
	const count = staged.count();
	for (let done = 0; done < count; done += importRows) {
		add.run(done, done + importRows);
		onProgress(Math.min(count, done + importRows));
		await sleep(0);
		signal.throwIfAborted();
	}
	add.finalize();
}

/**
 * A reader of the feed that is past the id of an added animal would miss it, so it gets a position of its own. SQLite has moved the
 * counter to the largest id that was kept.
 */
function addChanges(db: Database, before: bigint): void {
	const lastId = readLastId(db);
	const late = countUpTo(db, before);
	requireIds(lastId, late);
	db.run(
		`INSERT INTO changes (position, pet_id, kind)
		SELECT ? + row_number() OVER (ORDER BY id), id, 'added' FROM staging.staged WHERE id <= ?`,
		[lastId, before],
	);
	db.run(
		`UPDATE pets SET version = position FROM changes WHERE pet_id = pets.id AND position > ?`,
		[lastId],
	);
	db.run("UPDATE sqlite_sequence SET seq = seq + ? WHERE name = 'pets'", [
		late,
	]);
}

function countUpTo(db: Database, last: bigint): bigint {
	const count = db.prepare<{ count: bigint }, [bigint]>(
		"SELECT count(*) AS count FROM staging.staged WHERE id <= ?",
	);
	try {
		return count.get(last)?.count ?? 0n;
	} finally {
		count.finalize();
	}
}

function findTaken(db: Database): Taken {
	const from = `FROM staging.staged AS staged WHERE EXISTS (SELECT 1 FROM pets WHERE pets.id = staged.id)
		OR EXISTS (SELECT 1 FROM changes WHERE pet_id = staged.id AND kind = 'removed')`;
	const count = db.prepare<{ count: bigint }, []>(
		`SELECT count(*) AS count ${from}`,
	);
	const first = db.prepare<
		{ line: bigint; id: bigint; isRemoved: bigint },
		[number]
	>(
		`SELECT line, id, NOT EXISTS (SELECT 1 FROM pets WHERE pets.id = staged.id) AS isRemoved ${from}
		ORDER BY number LIMIT ?`,
	);
	try {
		return {
			count: Number(count.get()?.count ?? 0),
			first: first.all(maxToldErrors).map(({ line, id, isRemoved }) => ({
				...{ line: Number(line), id, isRemoved: isRemoved === 1n },
			})),
		};
	} finally {
		// The staging file can be detached only when no statement uses it.
		count.finalize();
		first.finalize();
	}
}
