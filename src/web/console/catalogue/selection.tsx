// What can be done with all animals that are selected.
import { type Pet, petStatuses } from "../api/pets.ts";
import { Button } from "../parts/fields.tsx";
import type { Actions } from "./actions.ts";
import { isByKeyboard } from "./table.tsx";

/** Animals that are changed or removed in one request. Browsers send at most 64 KiB when a page is closed, and an entry has about 90 bytes. */
export const maxSelected = 500;

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
				<Button
					key={status}
					class="minor"
					disabled={isTooMany}
					onClick={() => void setStatuses(chosen, status)}
				>
					Set {status}
				</Button>
			))}
			<Button
				class="minor"
				disabled={isTooMany}
				onClick={(event) => remove(chosen, isByKeyboard(event))}
			>
				Remove
			</Button>
			<Button
				class="plain"
				onClick={() => {
					selected.value = new Set();
				}}
			>
				Clear
			</Button>
		</section>
	);
}
