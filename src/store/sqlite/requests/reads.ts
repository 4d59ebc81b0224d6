// The reads of the catalogue, on a connection of their own.
import type { Database } from "bun:sqlite";
import type { StoredPet } from "../../../domain/pet.ts";
import { snapshotMs } from "../../../limits.ts";
import type { EngineRow, Sql } from "../../archive/tables.ts";
import type {
	CategoryCount,
	CountRange,
	FoundPet,
	Page,
	PetCount,
} from "../../catalogue.ts";
import { cachePages } from "../../queue/page-cache.ts";
import {
	categoryCountColumns,
	petColumns,
	toCategoryCount,
} from "../../rows.ts";
import { connect, setLockTimeout } from "../database.ts";
import { toSqliteText } from "../sql.ts";
import { prepareFiltered } from "./filter.ts";

/** About four times SQLite's default, for large catalogues. */
const sqliteCacheKib = 8 * 1024;

export type Reads = ReturnType<typeof prepareReads>;

/** A read sees every commit that had returned before the read was called. `version` returns a new number after each commit. */
export function openReads(path: string, version: () => number) {
	const db = connect(path);
	db.run(`PRAGMA cache_size = -${sqliteCacheKib}`);
	const { renew, end } = shareSnapshots(db, version);
	const reads = prepareReads(db, renew);
	setLockTimeout(db, 0);
	return {
		reads: { ...reads, listPets: cachePages(version, reads.listPets) },
		/** Ends the read transaction; the next read begins another. */
		endSnapshot: end,
		close() {
			end();
			db.close();
		},
	};
}

/** Makes the next read see every commit until now. Returns a new number for each snapshot; undefined without one. */
type Renew = () => number | undefined;

/** Each read calls `renew` first. */
export function prepareReads(db: Database, renew: Renew = () => undefined) {
	const toQueries = prepareFiltered((from) => prepareLists(db, from));
	const findPet = db.query<StoredPet, [bigint]>(
		`SELECT ${petColumns} FROM pets WHERE id = ?`,
	);
	const toEpoch = prepareEpoch(db);
	return {
		listPets(page: Page): readonly StoredPet[] {
			renew();
			return toQueries(page).newest.all(page.maxId, page.limit);
		},
		getPet(id: bigint): FoundPet | undefined {
			const snapshot = renew();
			const pet = findPet.get(id);
			return pet === null ? undefined : { ...pet, epoch: toEpoch(snapshot) };
		},
		countPets(range: CountRange): PetCount {
			renew();
			const { afterId, limit } = range;
			const { last, count } = toQueries(range);
			const lastId = last.get(afterId, limit - 1)?.id;
			if (lastId !== undefined) return { count: limit, lastId };
			const row = count.get(afterId);
			return {
				count: Number(row?.count),
				lastId: row?.lastId ?? undefined,
			};
		},
		countCategories(range: CountRange): CategoryCount {
			renew();
			const { afterId, limit } = range;
			const { categories } = toQueries(range);
			return toCategoryCount(categories.all(afterId, limit));
		},
		/** For statements with few different texts, which stay prepared. */
		readSql(...[text, values = []]: Parameters<Sql>): readonly EngineRow[] {
			renew();
			return db
				.query<EngineRow, (typeof values)[number][]>(toSqliteText(text))
				.all(...values);
		},
	};
}

/** Reads the epoch once for each snapshot, because reading it with each animal takes time. */
function prepareEpoch(db: Database): (snapshot: number | undefined) => string {
	const query = db.query<{ epoch: string }, []>(
		"SELECT feed_base AS epoch FROM catalogue",
	);
	let ofSnapshot: number | undefined;
	let epoch = "";
	return (snapshot) => {
		if (snapshot === undefined || snapshot !== ofSnapshot)
			epoch = query.get()?.epoch ?? "";
		ofSnapshot = snapshot;
		return epoch;
	};
}

/** The queries of one filter. */
function prepareLists(db: Database, from: string) {
	return {
		// `+ 0`, since SQLite prepares a statement again for each value of a plain `LIMIT ?`.
		newest: db.query<StoredPet, [bigint, number]>(
			`SELECT ${petColumns} ${from} id <= ? ORDER BY id DESC LIMIT ? + 0`,
		),
		// Faster than a count of the same animals.
		last: db.query<{ id: bigint }, [bigint, number]>(
			`SELECT id ${from} id > ? ORDER BY id LIMIT 1 OFFSET ?`,
		),
		count: db.query<{ count: bigint; lastId: bigint | null }, [bigint]>(
			`SELECT count(*) AS count, max(id) AS lastId ${from} id > ?`,
		),
		categories: db.query<EngineRow, [bigint, number]>(
			`SELECT ${categoryCountColumns} FROM (SELECT id, category_id ${from} id > ? ORDER BY id LIMIT ?) GROUP BY category_id`,
		),
	};
}

/** Reads within `snapshotMs` share a transaction: one for each adds 11 % to the processor time of a get. */
export function shareSnapshots(
	db: Database,
	version: () => number,
): { renew: Renew; end: () => void } {
	const begin = db.query("BEGIN");
	const rollback = db.query("ROLLBACK");
	let snapshotVersion: number | undefined;
	let isTimed = false;

	function end(): void {
		if (snapshotVersion === undefined) return;
		snapshotVersion = undefined;
		if (db.inTransaction) rollback.run();
	}

	function endInTime(): void {
		isTimed = false;
		end();
	}

	function renew(): number {
		// Before the transaction begins: a commit in between makes the snapshot newer than its version, never older.
		const current = version();
		if (snapshotVersion === current) return current;
		end();
		begin.run();
		if (!isTimed) setTimeout(endInTime, snapshotMs).unref();
		isTimed = true;
		snapshotVersion = current;
		return current;
	}

	return { renew, end };
}
