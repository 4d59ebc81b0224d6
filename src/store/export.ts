// Reading all animals as they are at one moment, for a file.
import type { PetFilter } from "../contract/filter.ts";
import type { StoredPet } from "../domain/pet.ts";

/** Animals that an export reads at once, and the text of their names at which it stops reading more: what it keeps in memory. */
export const exportRows = 1_000;
export const maxExportLength = 256 * 1024;

export interface Exports {
	/** Uses a connection of its own, so requests are served as usual meanwhile. It must be closed. */
	readonly open: (filter: PetFilter) => Promise<PetSnapshot>;
}

export interface PetSnapshot {
	/** The last id that was assigned, which tells how far the reading is. */
	readonly lastId: bigint;
	/** The next animals by ascending id. It looks at no more than `rows` animals, so there may be none; undefined at the end. */
	readonly next: (rows: number) => Promise<ExportPage | undefined>;
	/** Whether SQLite's WAL has grown too much, because no checkpoint passes this snapshot. */
	readonly mustEndSoon: () => boolean;
	readonly close: () => Promise<void>;
}

export interface ExportPage {
	readonly pets: readonly StoredPet[];
	/** Of the last animal that was looked at. */
	readonly lastId: bigint;
}
