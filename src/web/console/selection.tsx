// The selected animals, and what can be done with all of them.
import { signal } from "@preact/signals";
import { type PetPatch, petStatuses } from "../../domain/pet.ts";
import { Button } from "../ui/dialog.tsx";
import { ask } from "../ui/form.tsx";
import { capitalise, formatCount } from "../ui/format.tsx";
import { changeMany, work } from "./changes.tsx";
import { find, toFilter, total } from "./find.ts";
import { fromForm, isSame, type Pet, toFormFields } from "./pet.tsx";

/** The animals that the catalogue shows, and whether others match too. */
export const matching = signal<{ pets: readonly Pet[]; hasMore: boolean }>({
	pets: [],
	hasMore: false,
});

export const chosenIds = signal<ReadonlySet<bigint>>(new Set());
/** Also those that are not shown. */
const isAll = signal(false);
/** Where a selection with Shift begins. */
let anchor: bigint | undefined;

export function select(ids: Iterable<bigint>): void {
	chosenIds.value = new Set(ids);
	isAll.value = false;
}

/** With Shift, adds all rows since the last one. */
export function toggle(id: bigint, hasShift: boolean): void {
	const ids = matching.peek().pets.map((pet) => pet.id);
	const [from, to] = [ids.indexOf(anchor ?? id), ids.indexOf(id)];
	anchor = id;
	const chosen = chosenIds.peek();
	if (hasShift && from >= 0) {
		const range = ids.slice(Math.min(from, to), Math.max(from, to) + 1);
		select(chosen.union(new Set(range)));
	} else select(chosen.symmetricDifference(new Set([id])));
}

/** Without `set`, removes them. */
async function apply(text: string, set?: PetPatch): Promise<void> {
	const isDone = await changeMany(text, async () => {
		const { pets } = isAll.peek()
			? await find(
					toFilter(),
					Number.POSITIVE_INFINITY,
					new AbortController().signal,
				)
			: matching.peek();
		const wanted = isAll.peek()
			? pets
			: pets.filter(({ id }) => chosenIds.peek().has(id));
		return set
			? wanted
					.filter((pet) => !isSame(pet, { ...pet, ...(set as Partial<Pet>) }))
					.map((pet) => ({ pet, set }))
			: wanted.map((pet) => ({ pet }));
	});
	if (isDone) select([]);
}

export function Selection() {
	const { pets, hasMore } = matching.value;
	const count = pets.filter(({ id }) => chosenIds.value.has(id)).length;
	if (work.value === undefined && count === 0) return null;
	// Only a search can tell how many names match.
	const all = `all ${toFilter().name ? "" : `${total.value} `}that match`;
	return (
		<section class="selection" aria-label="Selected animals">
			<p role="status">
				{work.value ??
					`${isAll.value ? capitalise(all) : formatCount(count)} selected`}
			</p>
			{work.value === undefined && (
				<>
					{hasMore && !isAll.value && count === pets.length && (
						<Button
							class="link"
							onClick={() => {
								isAll.value = true;
							}}
						>
							Select {all}
						</Button>
					)}
					<div class="buttons">
						{petStatuses.map((status) => (
							<Button
								key={status}
								class="minor"
								onClick={() => void apply(`Set to ${status}`, { status })}
							>
								Set {status}
							</Button>
						))}
						<Button class="minor" onClick={askCategory}>
							Set category
						</Button>
						<Button class="minor" onClick={() => void apply("Removed")}>
							Remove
						</Button>
					</div>
					<Button class="plain" onClick={() => select([])}>
						Deselect
					</Button>
				</>
			)}
		</section>
	);
}

function askCategory(): void {
	const { categoryId } = toFormFields();
	ask({
		title: "Set the category",
		submit: "Set",
		fields: { ...(categoryId && { categoryId }) },
		run: (typed) => {
			void apply(`Moved to ${typed.categoryId}`, fromForm(typed));
		},
	});
}
