// Reads all data of a SQLite database, and writes it into one.
import { Database } from "bun:sqlite";
import { OperatorError } from "../../../contract/errors.ts";
import { type Archive, notEmpty, type Part } from "../../archive.ts";
import type { WaitOptions } from "../../wait.ts";
import { connect, connectionOptions } from "../database.ts";
import { memory } from "../file.ts";
import { guarded, guardFile } from "../file-guard.ts";
import { checkpointAll } from "../wal.ts";
import { readOnline } from "./online.ts";
import { readParts } from "./read.ts";
import {
	heldNoPets,
	holdsNothing,
	type Preparation,
	removeAll,
} from "./state.ts";
import { writeParts } from "./write.ts";

export function openArchive(db: Database, path: string): Archive {
	async function* read(
		readFrom: (reader: Database) => Iterable<Part> | AsyncIterable<Part>,
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
		options: WaitOptions = {},
	): Promise<boolean> {
		const writer = path === memory ? db : connect(path);
		try {
			const isWritten = await guarded(guardFile(path), () =>
				writeParts(writer, prepare, parts, options),
			);
			if (writer !== db) await checkpointAll(writer);
			return isWritten;
		} finally {
			if (writer !== db) writer.close();
		}
	}

	return {
		read: () => read(readParts),
		readOnline: (options) => read((reader) => readOnline(reader, options)),
		async write(parts, options) {
			if (!(await write(holdsNothing, parts, options)))
				throw new OperatorError(notEmpty);
		},
		writeFirstPets: (parts, options) => write(heldNoPets, parts, options),
		async replace(parts, options) {
			await write(removeAll, parts, options);
		},
	};
}
