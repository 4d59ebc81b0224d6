// The history: who changed or removed which animal and when, and its earlier content. Each entry can be put back.
import { useSignal } from "@preact/signals";
import { useEffect, useId } from "preact/hooks";
import { Button } from "../parts/fields.tsx";
import { Failed, usePolling, Waiting } from "../parts/poll.tsx";
import type { Query } from "../route.ts";
import type { ConsoleParts } from "../state.ts";
import { Entries, toAuthor } from "./entries.tsx";

const refreshMs = 10_000;

export function HistoryView(props: ConsoleParts) {
	const { history } = props;
	const { entries, hasMore, failure, place } = history;
	const { by = "", pet = "" } = place.query.value;
	useEffect(history.clear, [by, pet]);
	usePolling(refreshMs, history.load, [by, pet]);
	return (
		<>
			<div class="head">
				<h1 tabIndex={-1}>History</h1>
			</div>
			<Filters {...props} />
			<Failed message={failure.value} />
			<Waiting for={entries.value ?? failure.value} />
			{entries.value?.length === 0 && <Empty isFiltered={by + pet !== ""} />}
			{entries.value && entries.value.length > 0 && (
				<Entries
					{...props}
					entries={entries.value}
					onPutBack={() => void history.load()}
				/>
			)}
			{hasMore.value && (
				<div class="further">
					<Button class="minor" onClick={() => void history.loadMore()}>
						Show older changes
					</Button>
				</div>
			)}
		</>
	);
}

function Empty({ isFiltered }: { isFiltered: boolean }) {
	return (
		<div class="empty">
			<h2>{isFiltered ? "No change matches" : "No changes yet"}</h2>
			<p>
				{isFiltered
					? "Enter the whole name of a person or key, or “link”, or “command line”."
					: "When somebody changes or removes an animal, you see here who did it, when, and what the animal was before. You can put that back."}
			</p>
		</div>
	);
}

function Filters({ history: { place, entries } }: ConsoleParts) {
	const { by = "", pet = "" } = place.query.value;
	/** Input that is not in the address: unfinished or wrong. A refresh keeps it. */
	const typed = useSignal<Query>({});
	const isWrong = useSignal(false);
	const type = (part: Query) => {
		typed.value = { ...typed.peek(), ...part };
	};
	const choose = (part: Query) => {
		// The address has these from now on, even after the back button.
		const others = Object.entries(typed.peek());
		typed.value = Object.fromEntries(
			others.filter(([name]) => !(name in part)),
		);
		place.go(part);
	};
	const listId = useId();
	const authors = (entries.value ?? []).flatMap((entry) =>
		entry.by === undefined ? [] : [toAuthor(entry.by)],
	);
	return (
		<search class="filters history-filters">
			<input
				aria-label="By whom"
				placeholder="By whom"
				list={listId}
				value={typed.value.by ?? by}
				onInput={({ currentTarget }) => type({ by: currentTarget.value })}
				onChange={({ currentTarget }) =>
					choose({ by: currentTarget.value.trim() })
				}
			/>
			<datalist id={listId}>
				{[...new Set(authors)].map((author) => (
					<option key={author} value={author} />
				))}
			</datalist>
			<div>
				<input
					aria-label="Animal's id"
					aria-describedby={`${listId}-rule`}
					placeholder="Animal's id"
					inputMode="numeric"
					value={typed.value.pet ?? pet}
					aria-invalid={isWrong.value}
					onInput={({ currentTarget }) => type({ pet: currentTarget.value })}
					onChange={({ currentTarget }) => {
						const id = currentTarget.value.trim();
						isWrong.value = !/^\d{0,19}$/.test(id);
						if (!isWrong.value) choose({ pet: id });
					}}
				/>
				<span class="wrong" role="alert" id={`${listId}-rule`}>
					{isWrong.value && "Enter the number of the animal."}
				</span>
			</div>
			{by + pet !== "" && (
				<Button
					class="plain"
					onClick={() => {
						isWrong.value = false;
						choose({ by: "", pet: "" });
					}}
				>
					Clear
				</Button>
			)}
		</search>
	);
}
