// The actions on the selected animals, and how far they are.
import { petStatuses } from "../api/pets.ts";
import { Button } from "../parts/fields.tsx";
import { capitalise, formatCount } from "../parts/format.ts";
import type { ConsoleParts } from "../state.ts";
import { formatTotal } from "./found.tsx";

export function Selection({ list, bulk, actions }: ConsoleParts) {
	const { work } = actions;
	const { chosen, isAll } = bulk;
	if (work.value !== undefined) {
		const { text, done, of, stop } = work.value;
		const end = of === undefined ? "" : ` of ${formatCount(of)}`;
		return (
			<section class="selection" aria-label="Selected animals">
				<p role="status">{`${text}: ${formatCount(done)}${end} …`}</p>
				<Button class="minor" onClick={stop}>
					Stop
				</Button>
			</section>
		);
	}
	const count = chosen.value.length;
	if (count === 0) return null;
	const total = bulk.total.value;
	const all = `all ${total ? `${formatTotal(total)} ` : ""}that match`;
	const canTakeAll = list.progress.value.hasMore && !isAll.value;
	return (
		<section class="selection" aria-label="Selected animals">
			<p role="status">
				{isAll.value ? capitalise(all) : formatCount(count)} selected
			</p>
			{canTakeAll && count === list.shown.value.length && (
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
				Deselect
			</Button>
		</section>
	);
}
