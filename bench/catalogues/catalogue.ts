// The catalogues that servers are measured on. They have the same animals in every kind of storage.
import type { Keys } from "../../src/store/keys.ts";
import { storedKeys } from "../plan/keys.ts";

/** The catalogues in one kind of storage. */
export interface Catalogues {
	/** Gives a catalogue with this many animals. A server that adds animals needs a copy. */
	readonly prepare: (animals: number, isCopy: boolean) => Promise<Catalogue>;
	/** Disk space per animal. */
	readonly bytesPerAnimal: (animals: number) => Promise<number>;
	/** Processor time of the storage's own processes, if any. Nothing else may use the storage at that time. */
	readonly processorTimeNs?: () => number;
	readonly close: () => Promise<void>;
}

export interface Catalogue {
	/** A URL or a path, as the server expects it. */
	readonly location: string;
	/** Does nothing if this catalogue is not a copy. */
	readonly removeCopy: () => Promise<void>;
}

/** Columns of the animal `i`, in SQL that SQLite and PostgreSQL understand. */
export const columns = `
	i,
	CASE i % 6 WHEN 0 THEN 'Rex' WHEN 1 THEN 'Bella' WHEN 2 THEN 'Luna'
		WHEN 3 THEN 'Max' WHEN 4 THEN 'Misty' ELSE 'Charlie' END || ' ' || i,
	i % 1000,
	CASE i % 3 WHEN 0 THEN 'available' WHEN 1 THEN 'pending' ELSE 'sold' END`;

/** A table of SQLite with the numbers from 1 to a parameter. */
export const numbers =
	"numbers (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM numbers WHERE i < ?)";

/** Stores the keys that the requests are sent with. */
export async function addKeys(keys: Keys): Promise<void> {
	for (const [index, { hash, prefix }] of storedKeys.entries())
		await keys.add({
			name: `client ${index + 1}`,
			scope: "read-write",
			hash,
			prefix,
			createdAt: Date.now(),
			expiresAt: undefined,
		});
}
