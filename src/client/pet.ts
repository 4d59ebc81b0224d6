// The animal in the client: its types, its JSON, and the check of a store's reply.
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

/** For stores of tests, which accept ids. */
export interface OwnPet extends NewPet {
	readonly id?: bigint | undefined;
}

/** A type of JavaScript, or the allowed values of a member that may be missing. */
const kinds: Readonly<Record<keyof Pet, string | readonly unknown[]>> = {
	id: "bigint",
	name: "string",
	categoryId: "bigint",
	status: ["available", "pending", "sold"],
};

export const petNames = Object.keys(kinds);

/** Written by hand: JSON.stringify refuses a bigint. Throws a TypeError that names the wrong member. */
export function petToJson(pet: OwnPet): string {
	const given = new Map<string, unknown>(Object.entries(pet));
	const members = Object.entries(kinds).flatMap(([name, kind]) => {
		const value = given.get(name);
		const isOptional = name === "id" || typeof kind !== "string";
		if (value === undefined && isOptional) return [];
		requireType(name, value, typeof kind === "string" ? kind : "string");
		return `"${name}":${typeof value === "bigint" ? value : JSON.stringify(value)}`;
	});
	return `{${members}}`;
}

/** Takes what `parseExactly` returns and drops unknown members. Throws an Error that names the first wrong member. */
export function toPet(value: unknown): Pet {
	const given = new Map<string, unknown>(Object.entries(Object(value)));
	const members = Object.entries(kinds).flatMap(([name, kind]) => {
		const one = given.get(name);
		const isList = typeof kind !== "string";
		if (isList ? kind.includes(one) : typeof one === kind) return [[name, one]];
		if (isList && one === undefined) return [];
		throw new Error(
			`${name} is not ${isList ? `one of ${kind.join(", ")}` : kind === "bigint" ? "an int64" : "a string"}`,
		);
	});
	return Object.fromEntries(members);
}
