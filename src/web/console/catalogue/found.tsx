// The line above the table: counts, animals that others have added, import and export.
import { toQuantity } from "../../../domain/quantity.ts";
import { type Count, toQuery } from "../api/pets.ts";
import { Button } from "../parts/fields.tsx";
import { formatCount } from "../parts/format.ts";
import type { ConsoleParts } from "../state.ts";
import type { PetList } from "./list.ts";

export function Found(props: ConsoleParts) {
	const { list, follower, actions } = props;
	const { hasBegun, hasMore, isStopped } = list.progress.value;
	const { name, categoryId } = list.filter.value;
	// The service scans animal by animal.
	const isSearch = Boolean(name || categoryId);
	const added = follower.added.value.size;
	return (
		<div class="found">
			<p role={isSearch ? "status" : undefined}>{toText(list)}</p>
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
							href={`${props.api.base}/pets/export?${toQuery({ format, ...list.filter.value })}`}
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
	const { isLoading, hasBegun } = progress.value;
	const { name, status, categoryId } = filter.value;
	const { matching, all } = counts.value;
	if (!hasBegun) return "";
	const found = `${formatCount(shown.value.length)} found`;
	if ((name || categoryId) && isLoading) return `${found} · searching …`;
	if (name) return found;
	if (all === undefined || matching === undefined) return "";
	const total = `${formatTotal(all)} ${all.pets === 1 ? "animal" : "animals"}`;
	return status || categoryId ? `${formatTotal(matching)} of ${total}` : total;
}

export function formatTotal(count: Count): string {
	return `${formatCount(count.pets)}${count.atLeast ? "+" : ""}`;
}
