// Notices every commit to a SQLite file, by this process or another.
import type { Database } from "bun:sqlite";
import { connect, setLockTimeout } from "../database.ts";
import { findWalIndex, headerWords, type WalIndex } from "./wal-index.ts";

/**
 * Reads the header of the WAL index, with a connection of its own that keeps it mapped. Where the WAL index is not found,
 * it queries `PRAGMA data_version`: then a list takes 22 % more processor time.
 */
export function openDataVersion(
	path: string,
	findIndex: (
		db: Database,
		path: string,
	) => WalIndex | undefined = findWalIndex,
) {
	const db = connect(path);
	let index = findIndex(db, path);
	const sawCommit =
		index === undefined ? watchDataVersion(db) : watchHeader(() => index);
	setLockTimeout(db, 0);
	let version = 0;
	return {
		/** Returns a new number after each commit. Must not be called after `close`. */
		read(): number {
			if (sawCommit()) version++;
			return version;
		},
		close(): void {
			// Before the connection closes and SQLite unmaps the memory.
			index = undefined;
			db.close();
		},
	};
}

function watchHeader(index: () => WalIndex | undefined): () => boolean {
	const seen = new Uint32Array(headerWords);
	return () => {
		const current = index();
		if (current === undefined) throw new Error("The database is closed.");
		let isSame = true;
		for (let word = 0; word < headerWords; word++) {
			const value = current[word] ?? 0;
			if (value === seen[word]) continue;
			seen[word] = value;
			isSame = false;
		}
		return !isSame;
	};
}

/** `data_version` shows only commits of other connections, and only outside of transactions. So this connection runs nothing else. */
function watchDataVersion(db: Database): () => boolean {
	const query = db.query<{ data_version: bigint }, []>("PRAGMA data_version");
	let seen: bigint | undefined;
	return () => {
		const current = query.get()?.data_version;
		const isSame = current === seen;
		seen = current;
		return !isSame;
	};
}
