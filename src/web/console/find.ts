// The filter of the catalogue, and what it finds.

import { toPetId } from "../../domain/pet-id.ts";
import { toQuery } from "../../domain/text.ts";
import { get } from "../ui/api.ts";
import { signal } from "../ui/state.ts";
import type { Pet } from "./pet.tsx";
import { place } from "./route.ts";

/** A search starts this long after the last letter. */
const searchDelayMs = 250;

/** The parameters of a search. */
export type Filter = Readonly<
	Partial<Record<"name" | "status" | "categoryId", string | undefined>>
>;

/** The filter of the address. */
export function toFilter(): Filter {
	const { search, status, categoryId } = place.value.query;
	return { name: search, status, categoryId };
}

/** What the catalogue shows, whether more match, and how many in all; undefined if they cannot be counted soon. */
export const matching = signal<{
	readonly pets: readonly Pet[];
	readonly hasMore: boolean;
	readonly total: number | undefined;
}>({ pets: [], hasMore: false, total: 0 });

interface Found {
	readonly pets: readonly Pet[];
	readonly next?: string;
}

let lastName: string | undefined;

/** A page of the animals that match. */
export async function find(filter: Filter, page: string, ending: AbortSignal) {
	if (filter.name !== lastName)
		await new Promise((resolve) => setTimeout(resolve, searchDelayMs));
	lastName = filter.name;
	const query = `${toQuery(filter)}&${page}`;
	const { pets, next } = await get<Found>(`/pets?${query}`, ending);
	const isWhole = next === undefined && !page.includes("cursor");
	const byId = isWhole ? await findById(filter, ending) : [];
	const others = pets.filter(({ id }) => id !== byId[0]?.id);
	return { rows: [...byId, ...others], next };
}

/** The animal whose id is searched for comes first, unless very many names have these digits. */
async function findById(
	{ name = "", ...filter }: Filter,
	ending: AbortSignal,
): Promise<readonly Pet[]> {
	if (toPetId(name) === undefined) return [];
	const query = toQuery({ ...filter, id: name });
	return (await get<Found>(`/pets?${query}`, ending)).pets;
}

export async function count(
	filter: Filter,
	ending: AbortSignal,
): Promise<number> {
	const path = `/pets/count?${toQuery(filter)}`;
	return Number((await get<{ pets: bigint }>(path, ending)).pets);
}
