// The end of the list: loads the next page when it comes into view, and says how far a search has looked.
import { useEffect, useRef } from "preact/hooks";
import { formatCount } from "../parts/format.ts";
import { Failed } from "../parts/poll.tsx";
import type { PetList } from "./list.ts";

export function Further({ list }: { list: PetList }) {
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
	const isSearching = hasBegun && isLoading;
	return (
		<div class="further" ref={end}>
			<Failed message={list.failure.value} />
			{hasMore && hasBegun && (
				<p role="status">
					{isSearching || isPaused
						? `Looked at ${formatCount(looked)} animals${isSearching ? " so far …" : "."}`
						: ""}
				</p>
			)}
			{isSearching && hasMore && (
				<button type="button" class="minor" onClick={list.stop}>
					Stop
				</button>
			)}
			{hasMore && hasBegun && !isLoading && (
				<button type="button" class="minor" onClick={() => void list.more()}>
					{isPaused ? "Keep looking" : "Load more"}
				</button>
			)}
		</div>
	);
}
