// The line above the table: counts, the progress of a search, animals that others have added, import and export.
import { toQuantity } from "../../../domain/quantity.ts";
import { type Count, toQuery } from "../api/pets.ts";
import { Button } from "../parts/fields.tsx";
import { formatCount } from "../parts/format.ts";
import type { ConsoleParts } from "../state.ts";
import type { PetList } from "./list.ts";

export function Found(props: ConsoleParts) {
	const { list, follower, actions } = props;
	const { isLoading, hasBegun, hasMore, isStopped } = list.progress.value;
	const { name, categoryId } = list.filter.value;
	// The service scans animal by animal.
	const isSearch = Boolean(name || categoryId);
	// An export has its own order.
	const { order, ...exported } = list.filter.value;
	const added = follower.added.value.size;
	return (
		<div class="found">
			<p role={isSearch ? "status" : undefined}>{toText(list)}</p>
			{isSearch && isLoading && hasBegun && (
				<Button class="minor" onClick={list.stop}>
					Stop
				</Button>
			)}
			{isStopped && hasBegun && hasMore && (
				<Button class="minor" onClick={() => void list.more()}>
					Continue
				</Button>
			)}
			{added > 0 && (
				<Button
					class="new"
					onClick={() => {
						scrollTo(0, 0);
						follower.showAdded();
					}}
				>
					{toQuantity(added, "new animal")}
				</Button>
			)}
			{list.failure.value === undefined && (
				<p class="export">
					<Button class="link" onClick={() => actions.open({ kind: "import" })}>
						Import
					</Button>
					Export
					{["csv", "ndjson"].map((format) => (
						<a
							key={format}
							href={`${props.api.base}/pets/export?${toQuery({ format, ...exported })}`}
							aria-label={`Export as ${format.toUpperCase()}`}
						>
							{format.toUpperCase()}
						</a>
					))}
				</p>
			)}
		</div>
	);
}

function toText({ filter, shown, progress, counts }: PetList): string {
	const { isLoading, isStopped, hasBegun, hasMore, looked, of } =
		progress.value;
	const { name, status, categoryId } = filter.value;
	const { matching, all } = counts.value;
	if (!hasBegun) return "";
	const found = `${formatCount(shown.value.length)} found`;
	if ((name || categoryId) && hasMore && (name || isLoading || isStopped)) {
		if (of === undefined)
			return `${found} · searched ${toQuantity(looked, "animal")}`;
		// Below 100 until everything was searched.
		const percent = Math.min(99, Math.floor((100 * looked) / of));
		return `${found} · searched ${percent} % of ${formatCount(of)}`;
	}
	if (name) return `${found} of ${toQuantity(looked, "animal")}`;
	if (all === undefined || matching === undefined) return "";
	const total = `${formatTotal(all)} ${all.pets === 1 ? "animal" : "animals"}`;
	return status || categoryId ? `${formatTotal(matching)} of ${total}` : total;
}

export function formatTotal(count: Count): string {
	return `${formatCount(count.pets)}${count.atLeast ? "+" : ""}`;
}
