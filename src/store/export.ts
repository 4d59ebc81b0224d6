// Reads all animals as they are at one moment, for a file.
import type { PetFilter } from "../domain/filter.ts";
import type { StoredPet } from "../domain/pet.ts";

/** Animals that an export by a command keeps in memory. */
export const exportRows = 1_000;

export interface Exports {
	/** Uses a connection of its own, so that requests do not wait. The caller must close it. */
	readonly open: (filter: PetFilter) => Promise<PetSnapshot>;
}

export interface PetSnapshot {
	/** The next animals by ascending id. It reads at most `rows` animals before the filter, so a page may be empty. Undefined at the end. */
	readonly next: (rows: number) => Promise<ExportPage | undefined>;
	/** Whether SQLite's WAL has grown too much, because no checkpoint passes this snapshot. */
	readonly mustEndSoon: () => boolean;
	readonly close: () => Promise<void>;
}

export interface ExportPage {
	readonly pets: readonly StoredPet[];
	/** The id of the last animal that it read, before the filter. */
	readonly lastId: bigint;
}
