// What can be done with all animals that are selected.
import { maxSelected } from "../../../limits.ts";
import { type Pet, petStatuses } from "../api/pets.ts";
import type { Actions } from "./actions.ts";
import { isByKeyboard } from "./row.tsx";

export function Selection({
	shown,
	actions: { selected, setStatuses, remove },
}: {
	shown: readonly Pet[];
	actions: Actions;
}) {
	const chosen = shown.filter(({ id }) => selected.value.has(id));
	if (chosen.length === 0) return null;
	const isTooMany = chosen.length > maxSelected;
	return (
		<section class="selection" aria-label="Selected animals">
			<p role="status">
				{isTooMany
					? `${chosen.length} selected; at most ${maxSelected} can be changed at once`
					: `${chosen.length} selected`}
			</p>
			{petStatuses.map((status) => (
				<button
					key={status}
					type="button"
					class="minor"
					disabled={isTooMany}
					onClick={() => void setStatuses(chosen, status)}
				>
					Set {status}
				</button>
			))}
			<button
				type="button"
				class="minor"
				disabled={isTooMany}
				onClick={(event) => void remove(chosen, isByKeyboard(event))}
			>
				Remove
			</button>
			<button
				type="button"
				class="plain"
				onClick={() => {
					selected.value = new Set();
				}}
			>
				Clear
			</button>
		</section>
	);
}
