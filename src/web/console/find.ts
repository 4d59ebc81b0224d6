// The filter of the catalogue, and what it finds. Rows below the pointer do not move.

import { useEffect, useRef } from "preact/hooks";
import { toPetId } from "../../domain/pet-id.ts";
import { get, toQuery } from "../ui/api.ts";
import { signal, useSignal } from "../ui/state.ts";
import { toCategoryId } from "./categories.tsx";
import type { Pet } from "./pet.tsx";
import { place } from "./route.ts";

/** A search starts this long after the last letter. */
const searchDelayMs = 250;

/** The parameters of a search. */
export type Filter = Readonly<
	Partial<Record<"name" | "status" | "categoryId", string | undefined>>
>;

/** The filter of the address; undefined if it has a category that does not exist. */
export function toFilter(): Filter | undefined {
	const { search, status, categoryId: typed } = place.value.query;
	const categoryId = typed && toCategoryId(typed);
	return typed && !categoryId
		? undefined
		: { name: search, status, categoryId };
}

/** What the catalogue shows, whether more match, and how many in all; undefined if they cannot be counted soon. */
export const matching = signal<{
	readonly pets: readonly Pet[];
	readonly hasMore: boolean;
	readonly total: number | undefined;
}>({ pets: [], hasMore: false, total: undefined });

let lastName: string | undefined;

/** A page of the animals that match. */
export async function find(filter: Filter, page: string, ending: AbortSignal) {
	if (filter.name !== lastName) await pause(ending);
	lastName = filter.name;
	const isAsked = isReleased;
	const query = `${toQuery(filter)}&${page}`;
	const { pets, next } = await get<Found>(`/pets?${query}`, ending);
	if (isAsked) [isReleased, isNextShown] = [false, true];
	const isWhole = next === undefined && !page.includes("cursor");
	const byId = isWhole ? await findById(filter, ending) : [];
	const others = pets.filter(({ id }) => id !== byId[0]?.id);
	return { rows: [...byId, ...others], next };
}

interface Found {
	readonly pets: readonly Pet[];
	readonly next?: string;
}

export async function count(
	filter: Filter,
	ending?: AbortSignal,
): Promise<number> {
	const path = `/pets/count?${toQuery(filter)}`;
	return Number((await get<{ pets: bigint }>(path, ending)).pets);
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
function pause(ending: AbortSignal): Promise<void> {
	return new Promise((resolve, reject) => {
		setTimeout(resolve, searchDelayMs);
		ending.addEventListener("abort", reject);
	});
}

interface Still {
	readonly of: string;
	readonly fresh: readonly Pet[];
	readonly pets: readonly Pet[];
	readonly removed: ReadonlySet<bigint>;
	/** How many new animals wait to be shown. */
	readonly waiting: number;
}

let isReleased = false;
/** A list that was read before the release does not take its place. */
let isNextShown = false;

/** The next list is shown as it is: the user has added something to it. */
export function release(): void {
	isReleased = true;
}

/** Rows below the pointer do not move: changed ones change in place, removed ones stay as such, and new ones wait until it leaves. */
export function useStill(fresh: readonly Pet[], of: string) {
	const shown = useRef(toStill(fresh, of));
	const releases = useSignal(0);
	const before = shown.current;
	if (before.fresh !== fresh) {
		const isHeld = before.of === of && !isNextShown && isPointed();
		isNextShown = false;
		shown.current = isHeld ? hold(before, fresh) : toStill(fresh, of);
	}
	useEffect(() => {
		const onMove = () => {
			const { fresh, of, pets } = shown.current;
			if (pets === fresh || isPointed()) return;
			shown.current = toStill(fresh, of);
			releases.value++;
		};
		addEventListener("mouseover", onMove);
		return () => removeEventListener("mouseover", onMove);
	}, []);
	return shown.current;
}

function isPointed(): boolean {
	return document.querySelector(".pets tbody:hover") !== null;
}

function toStill(fresh: readonly Pet[], of: string): Still {
	return { of, fresh, pets: fresh, removed: new Set(), waiting: 0 };
}

function hold(before: Still, fresh: readonly Pet[]): Still {
	const byId = new Map(fresh.map((pet) => [pet.id, pet]));
	const known = new Set(before.pets.map(({ id }) => id));
	return {
		of: before.of,
		fresh,
		pets: before.pets.map((pet) => byId.get(pet.id) ?? pet),
		removed: known.difference(byId),
		waiting: fresh.filter(({ id }) => !known.has(id)).length,
	};
}
