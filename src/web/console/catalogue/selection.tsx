// The actions on the selected animals, and how far they are.
import { petStatuses } from "../api/pets.ts";
import { Button } from "../parts/fields.tsx";
import { formatCount } from "../parts/format.ts";
import type { Batches } from "./batches.ts";
import type { Bulk } from "./bulk.ts";
import { formatTotal } from "./found.tsx";
import type { PetList } from "./list.ts";

interface SelectionProps {
	readonly list: PetList;
	readonly bulk: Bulk;
	readonly batches: Batches;
}

export function Selection({ list, bulk, batches }: SelectionProps) {
	const { work } = batches;
	const { chosen, isAll } = bulk;
	if (work.value !== undefined) {
		const { text, done, stop } = work.value;
		return (
			<section class="selection" aria-label="Selected animals">
				<p role="status">
					{text}: {formatCount(done)} …
				</p>
				<Button class="minor" onClick={stop}>
					Stop
				</Button>
			</section>
		);
	}
	const count = chosen.value.length;
	if (count === 0) return null;
	const { matching } = list.counts.value;
	const total = list.filter.value.name ? "" : formatTotal(matching);
	const canTakeAll = list.progress.value.hasMore && !isAll.value;
	return (
		<section class="selection" aria-label="Selected animals">
			<p role="status">
				{isAll.value ? `All ${total} that match` : formatCount(count)} selected
			</p>
			{canTakeAll && count === list.shown.value.length && (
				<Button
					class="link"
					onClick={() => {
						isAll.value = true;
					}}
				>
					Select all {total} that match
				</Button>
			)}
			<div class="buttons">
				{petStatuses.map((status) => (
					<Button
						key={status}
						class="minor"
						onClick={() => void bulk.setStatus(status)}
					>
						Set {status}
					</Button>
				))}
				<Button class="minor" onClick={() => void bulk.remove()}>
					Remove
				</Button>
			</div>
			<Button class="plain" onClick={() => bulk.select([])}>
				Clear
			</Button>
		</section>
	);
}
