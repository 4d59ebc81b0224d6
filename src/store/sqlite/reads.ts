// The reads that requests cause. Those of one turn of the event loop share a transaction, since to begin and end one takes
// longer than to find an animal (3 of the 16 µs of a get).
import type { Database } from "bun:sqlite";
import type { Pet, PetStatus } from "../../contract/v1.ts";
import type { Page } from "../store.ts";
import { openDatabase } from "./database.ts";
import { keepPages } from "./page-cache.ts";
import { petColumns } from "./rows.ts";

/** They see every commit from before they were asked for. */
export interface Reads {
	readonly listPets: (page: Page) => readonly Pet[];
	readonly getPet: (id: bigint) => Pet | undefined;
	/** Ends those of this turn; the next one begins anew. */
	readonly end: () => void;
	/** Ends what was opened for them alone. */
	readonly close: () => void;
}

/** On a connection of their own. `version` changes with each commit. */
export function openReads(path: string, version: () => number): Reads {
	const { db, statements } = openDatabase(path, false, prepareReads);
	db.run(`PRAGMA cache_size = -${cacheKib}`);
	const { renew, end } = shareSnapshots(db, version);
	return {
		listPets: keepPages(version, (page) => {
			renew();
			return statements.listPets(page);
		}),
		getPet(id) {
			renew();
			return statements.getPet(id);
		},
		end,
		close() {
			end();
			db.close();
		},
	};
}

/** Room for a catalogue of 200,000 animals: a get among 100,000 takes a twentieth less than with SQLite's 2 MB. */
const cacheKib = 8 * 1024;

/** Each on its own. */
export function prepareReads(db: Database): Reads {
	const listAll = db.query<Pet, [bigint, number]>(
		`SELECT ${petColumns} FROM pets WHERE id <= ? ORDER BY id DESC LIMIT ?`,
	);
	// INDEXED BY: it is never the whole table that is walked for a status that few have.
	const listByStatus = (status: PetStatus) =>
		db.query<Pet, [bigint, number]>(
			`SELECT ${petColumns} FROM pets INDEXED BY pets_${status}
			WHERE status = '${status}' AND id <= ? ORDER BY id DESC LIMIT ?`,
		);
	const lists = {
		available: listByStatus("available"),
		pending: listByStatus("pending"),
		sold: listByStatus("sold"),
	};
	const getPet = db.query<Pet, [bigint]>(
		`SELECT ${petColumns} FROM pets WHERE id = ?`,
	);
	return {
		listPets: ({ limit, maxId, status }) =>
			(status === undefined ? listAll : lists[status]).all(maxId, limit),
		getPet: (id) => getPet.get(id) ?? undefined,
		end: () => {},
		close: () => {},
	};
}

function shareSnapshots(db: Database, version: () => number) {
	const begin = db.query("BEGIN");
	const rollback = db.query("ROLLBACK");
	let seen: number | undefined;

	function end(): void {
		if (seen === undefined) return;
		seen = undefined;
		if (db.inTransaction) rollback.run();
	}

	/** What is read from now on sees every commit until now. */
	function renew(): void {
		// Before the transaction begins: what is committed in between makes it newer than we think, never older.
		const current = version();
		if (seen === current) return;
		end();
		begin.run();
		// Soon, since SQLite's log cannot start anew while it is read.
		setImmediate(end);
		seen = current;
	}

	return { renew, end };
}
