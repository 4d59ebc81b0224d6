// The reads of the catalogue, on a connection of their own.
import type { Database } from "bun:sqlite";
import type { StoredPet } from "../../../domain/pet.ts";
import { snapshotMs } from "../../../limits.ts";
import type { CountRange, FoundPet, Page, PetCount } from "../../catalogue.ts";
import {
	areShort,
	type ListedPets,
	petBytes,
	type ShortRow,
} from "../../queue/long-page.ts";
import { cachePages } from "../../queue/page-cache.ts";
import { petColumns, shortPetColumns } from "../../rows.ts";
import { connect, setLockTimeout } from "../database.ts";
import { type FeedReads, prepareFeedReads } from "../feed/feed.ts";
import { prepareFiltered } from "./filter.ts";

/** Room for 200,000 animals, instead of the 50,000 of SQLite's default. */
const sqliteCacheKib = 8 * 1024;

/** A read sees every commit that had returned before the read was called. */
export interface Reads extends Omit<PetQueries, "getPet" | "readEpoch"> {
	readonly getPet: (id: bigint) => FoundPet | undefined;
	/** Ends the read transaction; the next read begins another. */
	readonly endSnapshot: () => void;
	readonly close: () => void;
}

export interface PetQueries extends FeedReads {
	readonly listPets: (page: Page) => ListedPets;
	readonly getPet: (id: bigint) => StoredPet | undefined;
	readonly readEpoch: () => string;
	readonly countPets: (range: CountRange) => PetCount;
}

/** `version` returns another number after each commit. */
export function openReads(
	path: string,
	version: () => number,
	mappedBytes = 0,
): Reads {
	const db = connect(path);
	db.run(`PRAGMA cache_size = -${sqliteCacheKib}`);
	// Pages of the mapped part are read without a system call and without a copy, and stay in memory when another connection commits.
	db.run(`PRAGMA mmap_size = ${mappedBytes}`);
	const queries = prepareReads(db);
	const { renew, end } = shareSnapshots(db, version);
	setLockTimeout(db, 0);
	let epoch = "";
	let epochSnapshot = 0;
	return {
		listPets: cachePages(version, (page) => {
			renew();
			return queries.listPets(page);
		}),
		getPet(id) {
			const snapshot = renew();
			if (snapshot !== epochSnapshot) epoch = queries.readEpoch();
			epochSnapshot = snapshot;
			return withEpoch(queries.getPet(id), epoch);
		},
		countPets(range) {
			renew();
			return queries.countPets(range);
		},
		readFeed(query) {
			renew();
			return queries.readFeed(query);
		},
		readLastPosition() {
			renew();
			return queries.readLastPosition();
		},
		endSnapshot: end,
		close() {
			end();
			db.close();
		},
	};
}

/** Each read in a transaction of its own, as SQLite does it by itself. */
export function readWithoutSnapshot(queries: PetQueries): Reads {
	return {
		...queries,
		getPet: (id) => getPet(queries, id),
		endSnapshot: () => {},
		close: () => {},
	};
}

export function getPet(
	queries: Pick<PetQueries, "getPet" | "readEpoch">,
	id: bigint,
): FoundPet | undefined {
	return withEpoch(queries.getPet(id), queries.readEpoch());
}

function withEpoch(
	pet: StoredPet | undefined,
	epoch: string,
): FoundPet | undefined {
	return pet && { ...pet, epoch };
}

export function prepareReads(db: Database): PetQueries {
	const queries = preparePetReads(db);
	return { ...queries, ...prepareFeedReads(db, queries.getPet) };
}

export function preparePetReads(
	db: Database,
): Omit<PetQueries, keyof FeedReads> {
	const toQueries = prepareFiltered(db, (source) => prepareLists(db, source));
	const getPetRow = db.query<StoredPet, [bigint]>(
		`SELECT ${petColumns} FROM pets WHERE id = ?`,
	);
	const getEpoch = db.query<{ epoch: string }, []>(
		"SELECT feed_base AS epoch FROM catalogue",
	);
	return {
		listPets(page) {
			const { limit, maxId } = page;
			const { short, measure, all } = toQueries(page);
			const pets = short.all(maxId, limit);
			if (areShort<StoredPet>(pets)) return pets;
			return {
				bytes: Number(measure.get(maxId, limit)?.bytes),
				read: () => all.all(maxId, limit),
			};
		},
		getPet: (id) => getPetRow.get(id) ?? undefined,
		readEpoch: () => getEpoch.get()?.epoch ?? "",
		countPets: (range) =>
			toPetCount(toQueries(range).count.get(range.afterId, range.limit)),
	};
}

/** The queries of the animals of a filter. */
function prepareLists(db: Database, source: string) {
	const rest = `${source} id <= ? ORDER BY id DESC LIMIT ?`;
	return {
		short: db.query<ShortRow<StoredPet>, [bigint, number]>(
			`SELECT ${shortPetColumns} ${rest}`,
		),
		measure: db.query<{ bytes: bigint }, [bigint, number]>(
			`SELECT sum(${petBytes("octet_length(name)", "min")}) AS bytes FROM (SELECT name ${rest})`,
		),
		all: db.query<StoredPet, [bigint, number]>(`SELECT ${petColumns} ${rest}`),
		count: db.query<CountRow, [bigint, number]>(
			`SELECT count(*) AS count, max(id) AS lastId FROM (SELECT id ${source} id > ? ORDER BY id LIMIT ?)`,
		),
	};
}

interface CountRow {
	readonly count: bigint;
	readonly lastId: bigint | null;
}

function toPetCount(row: CountRow | null): PetCount {
	return {
		count: Number(row?.count ?? 0),
		lastId: row?.lastId ?? undefined,
	};
}

/** One read transaction for all reads of `snapshotMs`. With one for each, a get takes 11 % more processor time (npm run bench -- --tricks). */
export function shareSnapshots(
	db: Database,
	version: () => number,
): { renew: () => number; end: () => void } {
	const begin = db.query("BEGIN");
	const rollback = db.query("ROLLBACK");
	let snapshotVersion: number | undefined;
	let snapshots = 0;
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

	/** Makes sure that the next read sees every commit until now. Returns the number of the snapshot. */
	function renew(): number {
		// Before the transaction begins: a commit in between makes the snapshot newer than its version, never older.
		const current = version();
		if (snapshotVersion === current) return snapshots;
		end();
		begin.run();
		if (!isTimed) setTimeout(endInTime, snapshotMs).unref();
		isTimed = true;
		snapshotVersion = current;
		return ++snapshots;
	}

	return { renew, end };
}
