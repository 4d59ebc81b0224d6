// The animals, as the operator interface has them.
import { type PetStatus, toPet } from "../../../client/pet.ts";
import type { NewPet, StoredPet } from "../../../contract/pet.ts";
import { findLimit } from "../../../limits.ts";
import type { Api } from "./api.ts";
import { ApiError, hasCode } from "./error.ts";
import { optional, toList, toMembers, toNumber, toText } from "./values.ts";

export type { PetStatus } from "../../../client/pet.ts";

export const petStatuses: readonly PetStatus[] = [
	"available",
	"pending",
	"sold",
];

export type { NewPet };
export type Pet = Pick<StoredPet, keyof NewPet | "id" | "version">;

export interface Filter {
	readonly name: string;
	readonly status: PetStatus | "";
	/** Digits. */
	readonly categoryId: string;
}

export interface Found {
	readonly pets: readonly Pet[];
	/** Where to go on; undefined if everything was looked at. */
	readonly next: string | undefined;
	/** How many animals were looked at. */
	readonly looked: number;
}

/** One entry of a batch, which fails if the animal has another version than the one that is shown. */
export type Change = { readonly shown: Pet } & (
	| { readonly set: Partial<NewPet> }
	| { readonly remove: true }
);

export type Pets = ReturnType<typeof createPets>;

export function createPets({ read, send }: Api) {
	return {
		async find(filter: Filter, cursor: string, ending: AbortSignal) {
			const query = toQuery({ ...filter, cursor, limit: String(findLimit) });
			return toFound((await read(`/pets?${query}`, ending)).body);
		},
		async add(pet: NewPet, idempotencyKey: string): Promise<Pet> {
			const headers = { "Idempotency-Key": idempotencyKey };
			const body = { ...pet };
			return toFullPet((await send("POST", "/pets", { body, headers })).body);
		},
		/** Returns the new versions; 0 for an animal that is removed. */
		async change(
			changes: readonly Change[],
			{ keepalive = false } = {},
		): Promise<readonly bigint[]> {
			const entries = changes.map(({ shown, ...change }) => ({
				petId: shown.id,
				...change,
				version: shown.version,
			}));
			const body = { changes: entries };
			const reply = await send("POST", "/pets/batch", { body, keepalive });
			const { versions } = toMembers(reply.body);
			return toList(versions, "versions", toInt64);
		},
	};
}

/** Why a change was not done: somebody else has changed or removed an animal. */
export type Conflict =
	| { readonly kind: "different"; readonly pet: Pet }
	| { readonly kind: "removed"; readonly pet: Pet };

/** Undefined if the error has another reason. */
export function toConflict(
	error: unknown,
	changes: readonly Change[],
): Conflict | undefined {
	if (!(error instanceof ApiError)) return undefined;
	const { index, pet } = error.members;
	if (hasCode(error, "precondition_failed"))
		return { kind: "different", pet: toFullPet(pet) };
	const change = changes[Number(index)];
	return hasCode(error, "not_found") && change !== undefined
		? { kind: "removed", pet: change.shown }
		: undefined;
}

export type ExportFormat = "csv" | "ndjson";

/** Below `/operator/v1`. */
export function toExportPath(filter: Filter, format: ExportFormat): string {
	return `/pets/export?${toQuery({ format, ...filter })}`;
}

/** The parameters that are not empty. The service takes a plus sign as it is, so a space must not become one. */
export function toQuery(parameters: Readonly<Record<string, string>>): string {
	return Object.entries(parameters)
		.filter(([, value]) => value !== "")
		.map(([name, value]) => `${name}=${encodeURIComponent(value)}`)
		.join("&");
}

function toFound(body: unknown): Found {
	const { pets, next, looked } = toMembers(body);
	return {
		pets: toList(pets, "pets", toFullPet),
		next: optional(next, "next", toText),
		looked: toNumber(looked, "looked"),
	};
}

/** The interface allows other stores to leave the status out; this one always sends it. */
function toFullPet(value: unknown): Pet {
	const { status = "available", ...pet } = toPet(value);
	return { ...pet, status, version: toInt64(toMembers(value).version) };
}

function toInt64(value: unknown): bigint {
	if (typeof value === "bigint") return value;
	throw new Error("version is not an int64");
}
