// The animals, as the operator interface has them.
import type { Api } from "./api.ts";
import { hasCode } from "./error.ts";
import {
	flag,
	int64,
	list,
	number,
	object,
	optional,
	text,
	time,
} from "./values.ts";

export const petStatuses = ["available", "pending", "sold"] as const;
export type PetStatus = (typeof petStatuses)[number];
export const statusChoices = petStatuses.map((value) => ({
	value,
	text: value,
}));

/** The most animals that a request finds and a batch changes. */
export const findLimit = 100;
export const batchLimit = 1_000;

export const toPet = object({
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
	addedAt: optional(time),
	/** The id of a key. */
	addedBy: optional(int64),
});

const toPresent = optional(toPet);

export type Pet = ReturnType<typeof toPet>;
export type NewPet = Pick<Pet, "name" | "categoryId" | "status">;

const toFound = object({
	pets: list(toPet),
	/** The cursor of the next page; undefined at the end. */
	next: optional(text),
});

const toCount = object({ pets: number, atLeast: flag });
export type Count = ReturnType<typeof toCount>;

const toChanged = object({ versions: list(int64) });

const toChanges = object({
	changes: list(
		object({
			petId: int64,
			/** Undefined if it was removed. */
			pet: toPresent,
		}),
	),
	next: int64,
	more: flag,
});

export type Changes = ReturnType<typeof toChanges>;

/** The parameters of a search. An empty one finds all animals. */
export type Filter = Readonly<
	Partial<Record<"name" | "status" | "categoryId", string>>
>;

/** One entry of a batch. It fails if the animal no longer has the version that the page shows. */
export type Change = { readonly shown: Pet } & (
	| { readonly set: Partial<NewPet> }
	| { readonly remove: true }
);

/** What a change did to an animal. `after` is undefined if it removed the animal. */
export interface Done {
	readonly before: Pet;
	readonly after: Pet | undefined;
}

export type Pets = ReturnType<typeof createPets>;

export function createPets({ read, send }: Api) {
	return {
		/** A page of the search. If the searched text is an id, the animal with this id comes first. */
		async find(filter: Filter, cursor: string, ending: AbortSignal) {
			const search = async (own: Partial<Record<string, string>>) => {
				const query = toQuery({ ...filter, limit: String(findLimit), ...own });
				return toFound(await read(`/pets?${query}`, ending));
			};
			const { name: id = "" } = filter;
			if (!isId(id)) return search({ cursor });
			const byId = cursor === "" ? (await search({ id, name: "" })).pets : [];
			const page = await search({ cursor });
			const others = page.pets.filter((pet) => String(pet.id) !== id);
			return { ...page, pets: [...byId, ...others] };
		},
		async count({ status = "", categoryId = "" }: Filter): Promise<Count> {
			const query = toQuery({ status, categoryId });
			return toCount(await send("GET", `/pets/count?${query}`));
		},
		/** Undefined if it was removed. */
		async get(id: string, ending?: AbortSignal): Promise<Pet | undefined> {
			try {
				return toPet(await read(`/pets/${id}`, ending));
			} catch (error) {
				if (hasCode(error, "not_found")) return undefined;
				throw error;
			}
		},
		async add(body: NewPet, idempotencyKey: string): Promise<Pet> {
			const headers = { "Idempotency-Key": idempotencyKey };
			return toPet(await send("POST", "/pets", { body, headers }));
		},
		/** Changes all or none. */
		async change(changes: readonly Change[]): Promise<readonly Done[]> {
			const entries = changes.map(({ shown, ...change }) => ({
				petId: shown.id,
				...change,
				version: shown.version,
			}));
			const body = { changes: entries };
			const { versions } = toChanged(
				await send("POST", "/pets/batch", { body }),
			);
			return changes.map(({ shown: before, ...change }, index) => {
				if ("remove" in change) return { before, after: undefined };
				const version = versions[index] ?? before.version;
				return { before, after: { ...before, ...change.set, version } };
			});
		},
		/** Restores an earlier content. A removed animal comes back with its id. */
		async restore({ id, version }: Pet): Promise<Pet> {
			const body = { version };
			return toPet(await send("POST", `/pets/${id}/restore`, { body }));
		},
		/** What was added, changed and removed since a position. */
		async listChanges(after: bigint | "now", ending: AbortSignal) {
			const path = `/changes?after=${after}&limit=1000`;
			return toChanges(await read(path, ending));
		},
	};
}

/** The service refuses an id with leading zeros or beyond 64 bits. */
function isId(text: string): boolean {
	return (
		/^\d{1,19}$/.test(text) && `${BigInt.asIntN(64, BigInt(text))}` === text
	);
}

/** The change by somebody else that made this one fail. */
export function toConflict(
	error: unknown,
	changes: readonly Change[],
): Done | undefined {
	if (!hasCode(error, "precondition_failed", "not_found")) return undefined;
	const { index, pet } = error.members;
	const change = changes[Number(index)];
	return change && { before: change.shown, after: toPresent(pet, "pet") };
}

/** Omits empty parameters. Not URLSearchParams: its `+` for a space is a plus sign for the service. */
export function toQuery(
	parameters: Readonly<Partial<Record<string, string>>>,
): string {
	return Object.entries(parameters)
		.flatMap(([name, value = ""]) =>
			value === "" ? [] : [`${name}=${encodeURIComponent(value)}`],
		)
		.join("&");
}
