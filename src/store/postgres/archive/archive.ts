// Reads all data of a PostgreSQL database, and writes it into one.
import { setTimeout as sleep } from "node:timers/promises";
import { OperatorError } from "../../../contract/errors.ts";
import {
	type Archive,
	notEmpty,
	type OnlineOptions,
	type Part,
} from "../../archive.ts";
import { openLongConnection, withLongConnection } from "../connection.ts";
import { readParts } from "./read.ts";
import {
	deleteAll,
	heldNoPets,
	holdsNothing,
	type Preparation,
} from "./state.ts";
import { writeParts } from "./write.ts";

export function openArchive(url: string): Archive {
	async function* read({
		pauseMs = 0,
	}: OnlineOptions = {}): AsyncGenerator<Part> {
		const client = await openLongConnection(url);
		try {
			for await (const part of readParts(client)) {
				yield part;
				if (pauseMs > 0) await sleep(pauseMs);
			}
		} finally {
			await client.end();
		}
	}

	const write = (prepare: Preparation, parts: AsyncIterable<Part>) =>
		withLongConnection(url, (client) => writeParts(client, prepare, parts));

	return {
		read: () => read(),
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
