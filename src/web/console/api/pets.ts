// The animals, as the operator interface has them.
import type { Api } from "./api.ts";
import { ApiError, hasCode } from "./error.ts";
import { int64, list, number, object, optional, text } from "./values.ts";

export const petStatuses = ["available", "pending", "sold"] as const;
export type PetStatus = (typeof petStatuses)[number];

/** The animals of one page: about two screens. */
export const findLimit = 50;

const toPet = object({
	id: int64,
	name: text,
	categoryId: int64,
	status(value, name): PetStatus {
		const status = petStatuses.find((one) => one === value);
		if (status !== undefined) return status;
		throw new Error(`${name} is not one of ${petStatuses}`);
	},
	/** Differs after each change. */
	version: int64,
});

export type Pet = ReturnType<typeof toPet>;
export type NewPet = Pick<Pet, "name" | "categoryId" | "status">;

const toFound = object({
	pets: list(toPet),
	/** The cursor of the next page; undefined at the end. */
	next: optional(text),
	looked: number,
});

const toChanged = object({ versions: list(int64) });

export interface Filter {
	readonly name: string;
	readonly status: PetStatus | "";
	readonly categoryId: string;
}

/** One entry of a batch. It fails if the animal no longer has the version that the page shows. */
export type Change = { readonly shown: Pet } & (
	| { readonly set: Partial<NewPet> }
	| { readonly remove: true }
);

export type Pets = ReturnType<typeof createPets>;

export function createPets({ read, send }: Api) {
	return {
		async find(filter: Filter, cursor: string, ending: AbortSignal) {
			const query = toQuery({ ...filter, cursor, limit: String(findLimit) });
			return toFound(await read(`/pets?${query}`, ending));
		},
		async add(body: NewPet, idempotencyKey: string): Promise<Pet> {
			const headers = { "Idempotency-Key": idempotencyKey };
			return toPet(await send("POST", "/pets", { body, headers }));
		},
		/** Returns the new versions; 0 for a removed animal. */
		async change(changes: readonly Change[], { keepalive = false } = {}) {
			const entries = changes.map(({ shown, ...change }) => ({
				petId: shown.id,
				...change,
				version: shown.version,
			}));
			const body = { changes: entries };
			const reply = await send("POST", "/pets/batch", { body, keepalive });
			return toChanged(reply).versions;
		},
	};
}

/** Somebody else changed or removed an animal, so the change failed. */
export interface Conflict {
	readonly kind: "different" | "removed";
	readonly pet: Pet;
}

export function toConflict(
	error: unknown,
	changes: readonly Change[],
): Conflict | undefined {
	if (!(error instanceof ApiError)) return undefined;
	const { index, pet } = error.members;
	if (hasCode(error, "precondition_failed"))
		return { kind: "different", pet: toPet(pet) };
	const change = changes[Number(index)];
	return hasCode(error, "not_found") && change !== undefined
		? { kind: "removed", pet: change.shown }
		: undefined;
}

/** Leaves empty parameters out. The service reads a plus sign as a plus sign, so a space must not become one. */
export function toQuery(parameters: Readonly<Record<string, string>>): string {
	return Object.entries(parameters)
		.filter(([, value]) => value !== "")
		.map(([name, value]) => `${name}=${encodeURIComponent(value)}`)
		.join("&");
}
