// The catalogue: find, add, change and remove animals.
import { useEffect, useRef } from "preact/hooks";
import type { Downloads } from "../parts/download.tsx";
import { Button } from "../parts/fields.tsx";
import { formatNumber } from "../parts/format.ts";
import { Failed } from "../parts/poll.tsx";
import type { Actions } from "./actions.ts";
import { PetDialogs } from "./dialogs.tsx";
import { Filters, isSame } from "./filters.tsx";
import { noFilter, type PetList } from "./list.ts";
import { PetTable, Selection } from "./table.tsx";

interface CatalogueProps extends Downloads {
	readonly list: PetList;
	readonly actions: Actions;
}

export function CatalogueView(props: CatalogueProps) {
	const { list, actions } = props;
	const { hasBegun, isLoading } = list.progress.value;
	useEffect(() => {
		if (!list.progress.peek().hasBegun) void list.more();
	}, [list]);
	return (
		<>
			<div class="head">
				<h1 tabIndex={-1}>Catalogue</h1>
				<Button
					class="icon"
					aria-label="Reload"
					title="Reload"
					onClick={() => list.search(list.filter.peek())}
				>
					<svg viewBox="0 0 16 16" aria-hidden="true">
						<path d="M13 8a5 5 0 1 1-1.6-3.7M13 2v3h-3" />
					</svg>
				</Button>
				<AddButton actions={actions} text="Add an animal" />
			</div>
			<Filters {...props} />
			<div class="results" aria-busy={isLoading && !hasBegun}>
				<Results list={list} actions={actions} />
			</div>
			<Further list={list} />
			<Selection shown={list.shown.value} actions={actions} />
			<PetDialogs actions={actions} />
		</>
	);
}

function Results({ list, actions }: Omit<CatalogueProps, keyof Downloads>) {
	const { hasBegun, hasMore } = list.progress.value;
	const shown = list.shown.value;
	if (shown.length > 0) return <PetTable shown={shown} actions={actions} />;
	if (list.failure.value !== undefined) return null;
	if (!hasBegun) return <p class="waiting">Loading …</p>;
	if (hasMore) return null;
	if (isSame(list.filter.value, noFilter))
		return (
			<div class="empty">
				<h2>No animals yet</h2>
				<p>The catalogue is empty. Animals that you add are served at once.</p>
				<AddButton actions={actions} text="Add the first animal" />
			</div>
		);
	return (
		<div class="empty">
			<h2>Nothing found</h2>
			<p>No animal matches this search.</p>
			<Button class="minor" onClick={() => list.search(noFilter)}>
				Show all animals
			</Button>
		</div>
	);
}

function AddButton({ actions, text }: { actions: Actions; text: string }) {
	return <Button onClick={() => actions.open({ kind: "add" })}>{text}</Button>;
}

/** The end of the list: loads the next page when it comes into view, and shows the progress of a search. */
function Further({ list }: { list: PetList }) {
	const { isLoading, hasBegun, hasMore, isPaused, looked } =
		list.progress.value;
	const end = useRef<HTMLDivElement>(null);
	const isWaiting = hasBegun && hasMore && !isLoading && !isPaused;
	useEffect(() => {
		if (!isWaiting || end.current === null) return;
		const observer = new IntersectionObserver(
			(entries) => {
				if (entries.some(({ isIntersecting }) => isIntersecting))
					void list.more();
			},
			{ rootMargin: "400px" },
		);
		observer.observe(end.current);
		return () => observer.disconnect();
	}, [isWaiting, list]);
	const far = `Searched ${formatNumber(looked, "animal")}`;
	return (
		<div class="further" ref={end}>
			<Failed message={list.failure.value} />
			{hasBegun && hasMore && (
				<>
					<p role="status">
						{isLoading ? `${far} so far …` : isPaused && `${far}.`}
					</p>
					{isLoading ? (
						<Button class="minor" onClick={list.stop}>
							Stop
						</Button>
					) : (
						<Button class="minor" onClick={() => void list.more()}>
							{isPaused ? "Keep searching" : "Load more"}
						</Button>
					)}
				</>
			)}
		</div>
	);
}
