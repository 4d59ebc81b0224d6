// The animal in the client: its types, its JSON, and the check of a store's reply.
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

const kinds: Readonly<Record<keyof Pet, "bigint" | "string" | PetStatus[]>> = {
	id: "bigint",
	name: "string",
	categoryId: "bigint",
	status: ["available", "pending", "sold"],
};

/** The compiler asks for each member that a store or its client may leave out. */
const optionalNames: Readonly<Record<OptionalName, true>> = { status: true };

type OptionalName = {
	[Name in keyof Pet]-?: undefined extends Pet[Name] ? Name : never;
}[keyof Pet];

/** Written by hand: JSON.stringify refuses a bigint. Throws a TypeError that names the wrong member. */
export function petToJson(pet: OwnPet): string {
	const members = readMembers(pet, pet.id === undefined).map(
		([name, value]) =>
			`"${name}":${typeof value === "bigint" ? value : JSON.stringify(value)}`,
	);
	return `{${members}}`;
}

/** Takes what `parseExactly` returns and drops unknown members. Throws a TypeError that names the wrong member. */
export function toPet(value: unknown): Pet {
	return Object.fromEntries(readMembers(Object(value), false));
}

function readMembers(given: object, isNew: boolean) {
	return Object.entries(kinds).flatMap(([name, kind]) => {
		const value = Reflect.get(given, name);
		const mayMiss = name in optionalNames || (isNew && name === "id");
		if (value === undefined && mayMiss) return [];
		if (kind === "bigint")
			check(name, typeof value === kind, "an int64 (bigint)");
		else if (kind === "string") check(name, typeof value === kind, "a string");
		else check(name, kind.includes(value), `one of ${kind.join(", ")}`);
		return [[name, value]];
	});
}
