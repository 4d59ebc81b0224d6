// Finds the animals of the catalogue, page after page, and keeps the rows still that the pointer is on.
import { signal, useSignal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import { toPetId } from "../../domain/pet.ts";
import { get, toQuery } from "../ui/api.ts";
import { formatCount } from "../ui/format.tsx";
import { toCategoryId } from "./categories.tsx";
import type { Pet } from "./pet.tsx";
import { place } from "./route.ts";

/** The most animals that a request finds. */
export const pageSize = 100;

/** A search starts this long after the last letter. */
const searchDelayMs = 250;

/** The parameters of a search, of the address. */
export function toFilter() {
	const { search: name, status, categoryId: typed } = place.value.query;
	const categoryId = typed && toCategoryId(typed);
	return {
		name,
		status,
		categoryId,
		/** A category that does not exist has no animals. */
		unknown: typed && categoryId === undefined ? typed : undefined,
	};
}

export type Filter = ReturnType<typeof toFilter>;

/** How many a long search has found so far. */
export const progress = signal("");

/** How many animals have the status and the category of the filter. */
export const total = signal("");

let lastName: string | undefined;

/** Reads until `count` are found. One request searches a limited number of animals. */
export async function find(
	{ unknown, ...filter }: Filter,
	count: number,
	ending: AbortSignal,
) {
	if (unknown !== undefined) return { pets: [], hasMore: false };
	if (filter.name !== lastName) await pause(ending);
	lastName = filter.name;
	const byId = await findById(filter, ending);
	const pets = [...byId];
	for (let cursor: string | undefined = ""; ; ) {
		const query = toQuery({ ...filter, limit: pageSize, cursor });
		const page: { pets: readonly Pet[]; next?: string } = await get(
			`/pets?${query}`,
			ending,
		);
		pets.push(...page.pets.filter(({ id }) => id !== byId[0]?.id));
		cursor = page.next;
		if (cursor === undefined || pets.length >= count) {
			progress.value = "";
			return { pets, hasMore: cursor !== undefined };
		}
		progress.value = `${formatCount(pets.length)} found · searching …`;
	}
}

/** The animal whose id is searched for, which comes first. */
async function findById(
	{ name = "", ...filter }: Omit<Filter, "unknown">,
	ending: AbortSignal,
): Promise<readonly Pet[]> {
	if (toPetId(name) === undefined) return [];
	const query = toQuery({ ...filter, id: name });
	return (await get<{ pets: readonly Pet[] }>(`/pets?${query}`, ending)).pets;
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

/** The next list is shown as it is: the user has added something to it. */
export function release(): void {
	isReleased = true;
}

/** Rows below the pointer do not move: changed ones change in place, removed ones stay as such, and new ones wait until it leaves. */
export function useStill(fresh: readonly Pet[], of: string) {
	const shown = useRef(toStill(fresh, of));
	const releases = useSignal(0);
	void releases.value;
	const before = shown.current;
	if (before.fresh !== fresh) {
		const isHeld = before.of === of && !isReleased && isPointed();
		isReleased = false;
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
	const end = before.pets.at(-1)?.id ?? 0n;
	const others = fresh.filter(({ id }) => !known.has(id));
	const below = others.filter(({ id }) => id < end);
	return {
		of: before.of,
		fresh,
		pets: [...before.pets.map((pet) => byId.get(pet.id) ?? pet), ...below],
		removed: known.difference(byId),
		waiting: others.length - below.length,
	};
}
