// The selected animals, and what can be done with all of them.

import { signal } from "@preact/signals";
import { toCountText } from "../../domain/quantity.ts";
import { Button } from "../ui/dialog.tsx";
import { ask } from "../ui/form.tsx";
import { formatAnimals, isolate } from "../ui/format.tsx";
import { pageSize } from "../ui/resource.tsx";
import { toCategoryName } from "./categories.tsx";
import { askAbove, sayDone, sendChanges, sendEdit } from "./changes.tsx";
import { fromForm, type Patch, petStatuses, toFormFields } from "./pet.tsx";
import { matching, toFilter } from "./search.tsx";

/** The ids of rows, or all that match the filter. */
const chosen = signal<ReadonlySet<bigint> | "all">(new Set());
/** Where a selection with Shift begins. */
let anchor: bigint | undefined;

export function select(ids: Iterable<bigint> = []): void {
	chosen.value = new Set(ids);
}

export function isChosen(id: bigint): boolean {
	return chosen.value === "all" || chosen.value.has(id);
}

const toShownIds = () => matching.value.pets.map(({ id }) => id);

/** How many. */
function toCount(): number {
	const { total = 0 } = matching.value;
	return chosen.value === "all" ? total : toShownIds().filter(isChosen).length;
}

/** With Shift, adds all rows since the last one. */
function toggle(id: bigint, hasShift: boolean): void {
	const ids = toShownIds();
	const [from, to] = [ids.indexOf(anchor ?? id), ids.indexOf(id)];
	anchor = id;
	const before = new Set(ids.filter(isChosen));
	if (hasShift && from >= 0) {
		const range = ids.slice(Math.min(from, to), Math.max(from, to) + 1);
		select(before.union(new Set(range)));
	} else select(before.symmetricDifference(new Set([id])));
}

export function SelectAll() {
	const { hasMore, total } = matching.value;
	const ids = toShownIds();
	const selected = ids.filter(isChosen).length;
	return (
		<label>
			<input
				type="checkbox"
				aria-label="Select all animals that match"
				checked={selected === ids.length}
				indeterminate={selected > 0 && selected < ids.length}
				disabled={total === undefined}
				onClick={() => {
					if (selected > 0) select();
					else if (hasMore || ids.length > pageSize) chosen.value = "all";
					else select(ids);
				}}
			/>
		</label>
	);
}

export function Select(props: { id: bigint; of: string }) {
	return (
		<label>
			<input
				type="checkbox"
				aria-label={`Select ${props.of}`}
				checked={isChosen(props.id)}
				onClick={({ shiftKey }) => toggle(props.id, shiftKey)}
			/>
		</label>
	);
}

/** Like “Set 5 animals to sold”. */
type ToText = (animals: string) => string;

const removal: ToText = (animals) => `Remove ${animals}`;

/** Asks first if there are many. Without `set`, removes them. */
function start(toText: ToText, set?: Patch): void {
	const expected = toCount();
	askAbove(expected, {
		title: `${toText(formatAnimals(expected))}?`,
		submit: set ? "Set" : "Remove",
		isDangerous: !set,
		text: "You can undo it, later in the history too.",
		run: () => run(toText, set, expected),
	});
}

async function run(
	toText: ToText,
	set: Patch | undefined,
	expected: number,
): Promise<void> {
	const edit =
		chosen.value === "all"
			? await changeAll(expected, set)
			: await sendChanges(
					matching.value.pets.filter(({ id }) => isChosen(id)),
					set,
				);
	const text = toText(formatAnimals(expected));
	select();
	sayDone(`${set ? text : text.replace("Remove", "Removed")}.`, edit);
}

/** One request changes all that match, if they are as many as the page says. */
async function changeAll(expected: number, set?: Patch) {
	const { categoryId, ...others } = toFilter();
	const filter = {
		...others,
		categoryId: categoryId ? BigInt(categoryId) : undefined,
	};
	const what = set ? { set } : { remove: true };
	return (await sendEdit("/pets/batch", { filter, expected, ...what })).edit;
}

export function Selection() {
	const selected = toCount();
	if (selected === 0) return null;
	return (
		<section class="selection" aria-label="Selected animals">
			<p role="status">{toCountText(selected)} selected</p>
			<div class="buttons">
				{petStatuses.map((status) => (
					<Button
						key={status}
						class="minor"
						onClick={() =>
							start((animals) => `Set ${animals} to ${status}`, { status })
						}
					>
						Set {status}
					</Button>
				))}
				<Button class="minor" onClick={() => askCategory(selected)}>
					Set category
				</Button>
				<Button class="minor" onClick={() => start(removal)}>
					Remove
				</Button>
			</div>
			<Button class="plain" onClick={() => select()}>
				Deselect
			</Button>
		</section>
	);
}

function askCategory(selected: number): void {
	const { categoryId } = toFormFields();
	ask({
		title: `Set the category of ${formatAnimals(selected)}`,
		submit: "Set",
		fields: { ...(categoryId && { categoryId }) },
		run(typed) {
			const set = fromForm(typed);
			const name = isolate(toCategoryName(String(set.categoryId)));
			const toText = (of: string) => `Set the category of ${of} to ${name}`;
			return run(toText, set, selected);
		},
	});
}
