// The animal in the client: its types, the JSON of a new one, and the check of a store's reply.
import { requireType } from "./options.ts";

export type PetStatus = "available" | "pending" | "sold";

export interface NewPet {
	readonly name: string;
	readonly categoryId: bigint;
	/** If not given, the store decides; `petstore-service` uses `available`. */
	readonly status?: PetStatus | undefined;
}

/** The interface lets a store omit `status`; `petstore-service` always sends it. */
export interface Pet extends NewPet {
	readonly id: bigint;
}

/** Written by hand: JSON.stringify refuses a bigint. Throws a TypeError that names the wrong member. */
export function newPetToJson({ name, categoryId, status }: NewPet): string {
	requireType("name", name, "string");
	requireType("categoryId", categoryId, "bigint");
	const rest =
		status === undefined ? "" : `,"status":${JSON.stringify(status)}`;
	return `{"name":${JSON.stringify(name)},"categoryId":${categoryId}${rest}}`;
}

/** Takes what `parseExactly` returns and drops unknown members. Throws an Error that names the first wrong member. */
export function toPet(value: unknown): Pet {
	const { id, name, categoryId, status }: Partial<Record<string, unknown>> =
		Object(value);
	if (typeof id !== "bigint") throw new Error("id is not an int64");
	if (typeof name !== "string") throw new Error("name is not a string");
	if (typeof categoryId !== "bigint")
		throw new Error("categoryId is not an int64");
	const known = statuses.find((one) => one === status);
	if (status !== undefined && known === undefined)
		throw new Error("status is not one of the three");
	return { id, name, categoryId, status: known };
}

const statuses = ["available", "pending", "sold"] as const;
