// Reads all data of a SQLite database, and writes it into one.
import { Database } from "bun:sqlite";
import type { Archive, Part } from "../../archive/archive.ts";
import { readParts } from "../../archive/read.ts";
import {
	type Preparation,
	toArchiveWrites,
	writeParts,
} from "../../archive/write.ts";
import type { WaitOptions } from "../../wait.ts";
import { beginLong, commit, connect, connectionOptions } from "../database.ts";
import { toFailure } from "../errors.ts";
import { memory } from "../files/file.ts";
import { guarded, guardFile } from "../files/file-guard.ts";
import { checkpointAll } from "../files/wal.ts";
import { toSource, toTarget } from "./archive-sql.ts";
import { readOnline } from "./online.ts";

export function openArchive(db: Database, path: string): Archive {
	async function* read(
		readFrom: (reader: Database) => AsyncIterable<Part>,
	): AsyncGenerator<Part> {
		// A database in memory has no second connection, so a copy of it is read.
		const reader =
			path === memory
				? Database.deserialize(db.serialize(), connectionOptions)
				: connect(path);
		try {
			yield* readFrom(reader);
		} finally {
			reader.close();
		}
	}

	async function write(
		prepare: Preparation,
		parts: AsyncIterable<Part>,
		options?: WaitOptions,
	): Promise<boolean> {
		const writer = path === memory ? db : connect(path);
		try {
			const isWritten = await guarded(guardFile(path), () =>
				writeArchive(writer, prepare, parts, options),
			);
			if (writer !== db) await checkpointAll(writer);
			return isWritten;
		} finally {
			if (writer !== db) writer.close();
		}
	}

	return {
		read: () => read(readArchive),
		readOnline: (options) => read((reader) => readOnline(reader, options)),
		...toArchiveWrites(write),
	};
}

/** In one read transaction, so all parts are of one moment. */
export async function* readArchive(db: Database): AsyncGenerator<Part> {
	db.run("BEGIN");
	try {
		yield* readParts(toSource(db));
	} finally {
		db.run("COMMIT");
	}
}

/** In one transaction. Returns false, and writes nothing, if the preparation refuses. */
export async function writeArchive(
	db: Database,
	prepare: Preparation,
	parts: AsyncIterable<Part>,
	options: WaitOptions = {},
): Promise<boolean> {
	await beginLong(db, options);
	try {
		const isWritten = await writeParts(toTarget(db), prepare, parts);
		if (isWritten) commit(db);
		else db.run("ROLLBACK");
		return isWritten;
	} catch (error) {
		if (db.inTransaction) db.run("ROLLBACK");
		throw toFailure(error);
	}
}
