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

/** The kind of each member. A test holds them equal to the fields of the service. */
const members: Members<Pet> = {
	id: { is: "bigint" },
	name: { is: "string" },
	categoryId: { is: "bigint" },
	status: { is: ["available", "pending", "sold"], isOptional: true },
};

type Members<Of> = {
	readonly [Name in keyof Of]-?: {
		readonly is: Kind<Of[Name]>;
	} & (undefined extends Of[Name]
		? { readonly isOptional: true }
		: { readonly isOptional?: never });
};
type Kind<Value> = [Value] extends [bigint | undefined]
	? "bigint"
	: string extends Value
		? "string"
		: readonly Exclude<Value, undefined>[];

/** In the order in which they are sent. */
export const newPetNames = Object.keys(members).filter((name) => name !== "id");

/** Written by hand: JSON.stringify refuses a bigint. Throws a TypeError that names the wrong member. */
export function newPetToJson(pet: NewPet): string {
	const given = new Map<string, unknown>(Object.entries(pet));
	const texts = Object.entries(members).flatMap(([name, member]) => {
		const value = given.get(name);
		if (name === "id" || (value === undefined && member.isOptional)) return [];
		if (member.is === "bigint") requireType(name, value, "bigint");
		else requireType(name, value, "string");
		return `"${name}":${typeof value === "bigint" ? value : JSON.stringify(value)}`;
	});
	return `{${texts.join(",")}}`;
}

/** Takes what `parseExactly` returns and drops unknown members. Throws an Error that names the first wrong member. */
export function toPet(value: unknown): Pet {
	const given = new Map<string, unknown>(Object.entries(Object(value)));
	const read = Object.entries(members).flatMap(([name, member]) => {
		const { is, isOptional } = member;
		const one = given.get(name);
		if (one === undefined && isOptional) return [];
		const isRight = Array.isArray(is) ? is.includes(one) : typeof one === is;
		if (!isRight) throw new Error(`${name} is not ${toKindText(is)}`);
		return [[name, one] as const];
	});
	return Object.fromEntries(read) as unknown as Pet;
}

function toKindText(is: string | readonly string[]): string {
	if (typeof is !== "string") return `one of ${is.join(", ")}`;
	return is === "bigint" ? "an int64" : "a string";
}
