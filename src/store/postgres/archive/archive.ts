// Reads all data of a PostgreSQL database, and writes it into one.
import { OperatorError } from "../../../contract/errors.ts";
import { type Archive, notEmpty, type Part } from "../../archive.ts";
import { openLongConnection } from "../connection.ts";
import { readParts } from "./read.ts";
import {
	deleteAll,
	heldNoPets,
	holdsNothing,
	type Preparation,
} from "./state.ts";
import { writeParts } from "./write.ts";

export function openArchive(url: string): Archive {
	async function* read(): AsyncGenerator<Part> {
		const client = await openLongConnection(url);
		try {
			yield* readParts(client);
		} finally {
			await client.end();
		}
	}

	async function write(
		prepare: Preparation,
		parts: AsyncIterable<Part>,
	): Promise<boolean> {
		const client = await openLongConnection(url);
		try {
			return await writeParts(client, prepare, parts);
		} finally {
			await client.end();
		}
	}

	return {
		read,
		// A long snapshot keeps PostgreSQL from nothing but cleaning up rows that were changed meanwhile.
		readOnline: read,
		async write(parts) {
			if (!(await write(holdsNothing, parts)))
				throw new OperatorError(notEmpty);
		},
		writeFirstPets: (parts) => write(heldNoPets, parts),
		async replace(parts) {
			await write(deleteAll, parts);
		},
	};
}
