// Reads all animals as they are at one moment, for a file.
import { type PetFilter, toPetTest } from "../domain/filter.ts";
import type { StoredPet } from "../domain/pet.ts";
import type { Engine } from "./engine.ts";
import { toFrom } from "./search.ts";
import { all } from "./sql.ts";
import { petColumns } from "./tables.ts";

/** Animals that an export by a command keeps in memory. */
export const exportRows = 1_000;

export interface PetSnapshot {
	/** The next animals by ascending id. It reads at most `rows` animals before the filter, so a page may be empty. Undefined at the end. */
	readonly next: (rows: number) => Promise<ExportPage | undefined>;
	/** The names of categories, by their ids. */
	readonly names: ReadonlyMap<bigint, string>;
	/** Whether SQLite's WAL has grown too much, because no checkpoint passes this snapshot. */
	readonly mustEndSoon: () => boolean;
	readonly close: () => Promise<void>;
}

export interface ExportPage {
	readonly pets: readonly StoredPet[];
	/** The id of the last animal that it read, before the filter. */
	readonly lastId: bigint;
}

export function openExports(engine: Engine) {
	return {
		/** Uses a connection of its own, so that requests do not wait. The caller must close it. */
		async open(filter: PetFilter): Promise<PetSnapshot> {
			const text = `SELECT ${petColumns} ${toFrom(engine, filter.status)} id > $1 ORDER BY id LIMIT $2 + 0`;
			const fits = toPetTest(filter) ?? (() => true);
			const { read, mustEndSoon, close } = await engine.openSnapshot();
			const named = await read(() =>
				all<{ id: bigint; name: string }>("SELECT id, name FROM categories"),
			);
			let after = 0n;
			return {
				names: new Map(named.map(({ id, name }) => [id, name])),
				mustEndSoon,
				close,
				async next(rows) {
					const pets = await read(() => all<StoredPet>(text, [after, rows]));
					const lastId = pets.at(-1)?.id;
					if (lastId === undefined) return undefined;
					after = lastId;
					return { pets: pets.filter(fits), lastId };
				},
			};
		},
	};
}
