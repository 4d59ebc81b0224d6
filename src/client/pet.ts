// The animal in the client: its types, its JSON, and the check of a store's reply.
import { toJson } from "./json.ts";
import { check } from "./options.ts";

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

/** For stores of tests, which accept ids. */
export interface OwnPet extends NewPet {
	readonly id?: bigint | undefined;
}

const kinds: {
	readonly [Name in keyof Pet]-?: readonly [
		kind: "bigint" | "string" | readonly PetStatus[],
		/** The compiler knows which members a store or its client may leave out. */
		mayMiss: undefined extends Pet[Name] ? true : false,
	];
} = {
	id: ["bigint", false],
	name: ["string", false],
	categoryId: ["bigint", false],
	status: [["available", "pending", "sold"], true],
};

/** For stores of tests: an entry that is wrong is named too. */
export function petsToJson(pets: readonly OwnPet[]): string[] {
	return pets.map((pet, index) => petToJson(pet, `pets[${index}].`));
}

/** Throws a TypeError that names the wrong member. */
export function petToJson(pet: OwnPet, prefix = ""): string {
	const given = Object(pet);
	const members = readMembers(given, given.id === undefined, prefix);
	return toJson(Object.fromEntries(members));
}

/** Takes what `parseExactly` returns and drops unknown members. Throws a TypeError that names the wrong member. */
export function toPet(value: unknown): Pet {
	return Object.fromEntries(readMembers(Object(value), false));
}

function readMembers(given: object, isNew: boolean, prefix = "") {
	return Object.entries(kinds).flatMap(([name, [kind, mayMiss]]) => {
		const value = Reflect.get(given, name);
		if (value === undefined && (mayMiss || (isNew && name === "id"))) return [];
		const shown = prefix + name;
		if (kind === "bigint")
			check(shown, typeof value === kind, "an int64 (bigint), like 7n");
		else if (kind === "string") check(shown, typeof value === kind, "a string");
		else check(shown, kind.includes(value), `one of ${kind.join(", ")}`);
		return [[name, value]];
	});
}
