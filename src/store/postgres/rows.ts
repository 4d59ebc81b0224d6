// Animals as PostgreSQL returns them. An int8 arrives as text.
import type { StoredPet } from "../../domain/pet.ts";
import type { FoundPet } from "../catalogue.ts";

export interface PetRow
	extends Pick<StoredPet, "name" | "status">,
		Readonly<Record<"id" | "categoryId" | "version", string>>,
		Readonly<Record<"addedAt" | "addedBy", string | null>> {}

export interface FoundPetRow extends PetRow {
	readonly epoch: string;
}

export function toPet(row: PetRow): StoredPet {
	const { id, name, categoryId, status, version, addedAt, addedBy } = row;
	return {
		id: BigInt(id),
		name,
		categoryId: BigInt(categoryId),
		status,
		version: BigInt(version),
		addedAt: addedAt === null ? null : BigInt(addedAt),
		addedBy: addedBy === null ? null : BigInt(addedBy),
	};
}

export function toFoundPet({ epoch, ...row }: FoundPetRow): FoundPet {
	return { ...toPet(row), epoch };
}
