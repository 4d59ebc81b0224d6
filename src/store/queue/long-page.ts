// A page of animals with long names. Names may take 64 KiB each, so the page is read only after its memory is reserved.
import type { Awaitable } from "../../async/awaitable.ts";
import { maxNameBytes, type StoredPet } from "../../domain/pet.ts";

/** The animals; or, if one of them has a long name, how to read them. */
export type ListedPets = readonly StoredPet[] | LongPage;

export interface LongPage {
	/** The longest JSON text that the page can have. */
	readonly bytes: number;
	readonly read: () => Awaitable<readonly StoredPet[]>;
}

export function isLong(listed: ListedPets): listed is LongPage {
	return "bytes" in listed;
}

/** Names above this are long, in UTF-8. A page without long names reserves no memory. */
export const longNameBytes = 512;

/** A row whose name is null if it is long. */
export type ShortRow<Row extends { name: string }> = Omit<Row, "name"> & {
	readonly name: string | null;
};

export function areShort<Row extends { name: string }>(
	rows: readonly (Row | ShortRow<Row>)[],
): rows is readonly Row[] {
	return rows.every(({ name }) => name !== null);
}

/** SQL for the longest JSON text of an animal: an escaped character takes six bytes, and a name at most `maxNameBytes`. */
export const petBytes = (nameBytes: string) =>
	`CASE WHEN 6 * ${nameBytes} > ${maxNameBytes} THEN ${maxNameBytes} ELSE 6 * ${nameBytes} END + ${restBytes}`;

/** The same for animals that were read. */
export function bytesOf(pets: readonly { name: string }[]): number {
	return pets.reduce(
		(sum, { name }) =>
			sum + Math.min(6 * name.length, maxNameBytes) + restBytes,
		0,
	);
}

/** The longest id, category, status and version with the names of the members. */
const restBytes = 220;
