// The catalogue: find, add, change and remove animals.
import { useEffect } from "preact/hooks";
import { Button } from "../parts/fields.tsx";
import { isolate } from "../parts/format.ts";
import { Failed, usePolling } from "../parts/poll.tsx";
import type { ConsoleParts } from "../state.ts";
import { PetDialogs } from "./dialogs.tsx";
import { PetDrawer } from "./drawer.tsx";
import { Filters, noFilter } from "./filters.tsx";
import { followMs } from "./follow.ts";
import { Found } from "./found.tsx";
import { PetTable } from "./table.tsx";

/** A search starts this long after the last letter. */
const searchDelayMs = 250;

export function CatalogueView(props: ConsoleParts) {
	const { place, list, bulk, follower } = props;
	const { hasBegun, isLoading } = list.progress.value;
	const { search = "", status, categoryId } = place.query.value;
	usePolling(followMs, follower.follow, [follower]);
	useEffect(() => {
		if (!list.isOutdated()) return;
		const isTyping = search !== list.filter.peek().name;
		const timer = setTimeout(
			() => {
				bulk.select([]);
				follower.search();
			},
			isTyping ? searchDelayMs : 0,
		);
		return () => clearTimeout(timer);
	}, [search, status, categoryId]);
	const added = follower.added.value;
	useEffect(() => {
		if (added.size > 0 && isAtTop(bulk)) follower.showAdded();
	}, [added]);
	return (
		<>
			<div class="head">
				<h1 tabIndex={-1}>Catalogue</h1>
				<AddButton {...props} text="Add an animal" />
			</div>
			<Filters {...props} />
			<Found {...props} />
			<Failed message={list.failure.value} />
			<div class="results" aria-busy={isLoading && !hasBegun}>
				<Results {...props} />
			</div>
			<PetDrawer {...props} />
			<PetDialogs {...props} />
		</>
	);
}

/** Whether new rows at the top would move nothing that the user looks at. */
function isAtTop({ selected }: ConsoleParts["bulk"]): boolean {
	const rows = document.querySelector(".pets tbody");
	return (
		scrollY === 0 &&
		selected.peek().size === 0 &&
		!rows?.matches(":hover, :focus-within")
	);
}

function Results(props: ConsoleParts) {
	const { place, list, categories } = props;
	const { hasBegun, hasMore, isStopped } = list.progress.value;
	const filter = list.filter.value;
	if (list.shown.value.length > 0) return <PetTable {...props} />;
	if (list.failure.value !== undefined || isStopped) return null;
	if (!hasBegun || hasMore)
		return <p class="waiting">{hasBegun ? "Searching …" : "Loading …"}</p>;
	if (Object.values(filter).every((value) => !value))
		return (
			<div class="empty">
				<h2>No animals yet</h2>
				<p>The catalogue is empty. Animals that you add are served at once.</p>
				<AddButton {...props} text="Add the first animal" />
			</div>
		);
	const { name, status, categoryId = "" } = filter;
	const isNarrowed = Boolean(name && (status || categoryId));
	const wider = isNarrowed ? { status: "", categoryId: "" } : noFilter;
	const category = isolate(categories.toCategoryName(categoryId));
	return (
		<div class="empty">
			<h2>Nothing found</h2>
			<p>
				No animal {name ? "matches this search" : "was found"}
				{categoryId && ` in category ${category}`}
				{status && ` with status ${status}`}.
			</p>
			<Button class="minor" onClick={() => place.go(wider)}>
				{isNarrowed ? "Search all animals" : "Show all animals"}
			</Button>
		</div>
	);
}

function AddButton({ actions, text }: ConsoleParts & { text: string }) {
	return <Button onClick={() => actions.open({ kind: "add" })}>{text}</Button>;
}
