// The selected animals, and what can be done with all of them.

import { hasCode, toMessage } from "../ui/api.ts";
import { Button } from "../ui/dialog.tsx";
import { ask } from "../ui/form.tsx";
import {
	formatAnimals,
	formatCount,
	isolate,
	toTitles,
} from "../ui/format.tsx";
import { signal } from "../ui/state.ts";
import { toCategoryName } from "./categories.tsx";
import { askAbove, sayDone, sendChanges, sendEdit } from "./changes.tsx";
import { count, matching, toFilter } from "./find.ts";
import { fromForm, type Patch, petStatuses, toFormFields } from "./pet.tsx";

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
	const { total } = matching.value;
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
					// The animal with the id that was searched for does not match the name.
					else if (ids.length > (total ?? 0)) select(ids);
					else chosen.value = "all";
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

/** Asks first if there are many, and again if their number has changed. Without `set`, removes them. */
function start(
	toText: ToText,
	set?: Patch,
	expected = toCount(),
	notice?: string,
): void {
	askAbove(notice ? Number.POSITIVE_INFINITY : expected, {
		title: `${toText(formatAnimals(expected))}?`,
		submit: set ? "Set" : "Remove",
		isDangerous: !set,
		children: (
			<>
				{notice && <p class="notice">{notice}</p>}
				<p class="soft">You can undo it, later in the history too.</p>
			</>
		),
		run: () => run(toText, set, expected),
	});
}

async function run(
	toText: ToText,
	set: Patch | undefined,
	expected: number,
): Promise<void> {
	const isAll = chosen.value === "all";
	const pets = matching.value.pets.filter(({ id }) => isChosen(id));
	try {
		const edit = isAll
			? await changeAll(expected, set)
			: await sendChanges(pets, set);
		const many = isAll && expected > 1;
		const text = toText(many ? formatAnimals(expected) : toTitles(pets));
		select();
		sayDone(`${set ? text : text.replace("Remove", "Removed")}.`, edit);
	} catch (error) {
		if (!hasCode(error, "precondition_failed")) throw error;
		start(toText, set, await count(toFilter()), toMessage(error));
	}
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
			<p role="status">{formatCount(selected)} selected</p>
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
