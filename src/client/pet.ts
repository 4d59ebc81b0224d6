// An animal as the client takes and returns it: its types, the JSON text of a new one, and the check of what a store has sent.

export type PetStatus = "available" | "pending" | "sold";

export interface NewPet {
	readonly name: string;
	readonly categoryId: bigint;
	/** A store that is given none makes the animal `available`. */
	readonly status?: PetStatus | undefined;
}

/** `petstore-service` always sends a status. The interface allows a store to leave it out. */
export interface Pet extends NewPet {
	readonly id: bigint;
}

/** JSON.stringify takes no bigint, so the number is written by hand. Throws a TypeError that names the wrong member. */
export function newPetToJson(pet: NewPet): string {
	requireObject(pet, "An animal must be an object with name and categoryId.");
	const { name, categoryId, status } = pet;
	requireType("name", name, "string");
	requireType("categoryId", categoryId, "bigint");
	if (status !== undefined) requireType("status", status, "string");
	const rest =
		status === undefined ? "" : `,"status":${JSON.stringify(status)}`;
	return `{"name":${JSON.stringify(name)},"categoryId":${categoryId}${rest}}`;
}

/** The compiler checks callers in TypeScript. These checks are for those in JavaScript. */
export function requireObject(
	given: unknown,
	rule: string,
): asserts given is object {
	if (typeof given !== "object" || given === null) throw new TypeError(rule);
}

export function requireType(
	member: string,
	value: unknown,
	type: "string" | "bigint",
): void {
	if (typeof value !== type)
		throw new TypeError(`${member} must be a ${type}, not ${typeof value}.`);
}

/** Takes what `parseExactly` returns and drops unknown members. Throws an Error that names the first wrong member. */
export function toPet(value: unknown): Pet {
	requireObject(value, "an animal is not an object");
	const { id, name, categoryId, status }: Partial<Record<string, unknown>> = {
		...value,
	};
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
