// The animals, as the operator interface has them.
import { type PetStatus, toPet } from "../../../client/pet.ts";
import { findLimit } from "../../../limits.ts";
import type { Api, ApiReply } from "./api.ts";
import { optional, toList, toMembers, toNumber, toText } from "./values.ts";

export type { PetStatus } from "../../../client/pet.ts";

export const petStatuses: readonly PetStatus[] = [
	"available",
	"pending",
	"sold",
];

export interface NewPet {
	readonly name: string;
	readonly categoryId: bigint;
	readonly status: PetStatus;
}

export interface Pet extends NewPet {
	readonly id: bigint;
}

/** An animal with the ETag of its content. */
export interface Version {
	readonly pet: Pet;
	readonly tag: string;
}

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

/** One entry of a batch, which fails if the animal has another content than that of the version. */
export type Change = { readonly version: Version } & (
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
			return toVersion(await send("POST", "/pets", { body, headers })).pet;
		},
		async get(id: bigint): Promise<Version> {
			return toVersion(await send("GET", `/pets/${id}`));
		},
		async change(
			{ pet, tag }: Version,
			set: Partial<NewPet>,
		): Promise<Version> {
			const headers = { "If-Match": tag };
			const body = { ...set };
			return toVersion(
				await send("PATCH", `/pets/${pet.id}`, { body, headers }),
			);
		},
		async remove({ pet, tag }: Version, keepalive: boolean): Promise<void> {
			const headers = { "If-Match": tag };
			await send("DELETE", `/pets/${pet.id}`, { headers, keepalive });
		},
		async changeMany(
			changes: readonly Change[],
			keepalive: boolean,
		): Promise<void> {
			const body = {
				changes: changes.map(({ version: { pet, tag }, ...change }) => ({
					petId: pet.id,
					...change,
					ifMatch: tag,
				})),
			};
			await send("POST", "/pets/batch", { body, keepalive });
		},
	};
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

function toVersion({ body, tag }: ApiReply): Version {
	return { pet: toFullPet(body), tag };
}

/** The interface allows other stores to leave the status out; this one always sends it. */
function toFullPet(value: unknown): Pet {
	const { status = "available", ...pet } = toPet(value);
	return { ...pet, status };
}
