// Reads all data of a PostgreSQL database, and writes it into one.
import { setTimeout as sleep } from "node:timers/promises";
import { OperatorError } from "../../../contract/errors.ts";
import {
	type Archive,
	notEmpty,
	type OnlineOptions,
	type Part,
} from "../../archive.ts";
import type { WaitOptions } from "../../wait.ts";
import { openLongConnection, withLongConnection } from "../connection.ts";
import { readParts } from "./read.ts";
import {
	heldNoPets,
	holdsNothing,
	type Preparation,
	removeAll,
} from "./state.ts";
import { writeParts } from "./write.ts";

export function openArchive(url: string): Archive {
	const write = (
		prepare: Preparation,
		parts: AsyncIterable<Part>,
		options: WaitOptions = {},
	) =>
		withLongConnection(url, "write", (client) =>
			writeParts(client, prepare, parts, options),
		);

	return {
		...readArchive(url),
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

export function readArchive(url: string): Pick<Archive, "read" | "readOnline"> {
	async function* read({
		pauseMs = 0,
	}: OnlineOptions = {}): AsyncGenerator<Part> {
		const client = await openLongConnection(url, "read");
		try {
			for await (const part of readParts(client)) {
				yield part;
				if (pauseMs > 0) await sleep(pauseMs);
			}
		} finally {
			await client.end();
		}
	}
	return {
		read: () => read(),
		// A long snapshot keeps PostgreSQL from nothing but cleaning up rows that were changed meanwhile.
		readOnline: read,
	};
}
