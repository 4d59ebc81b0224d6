// Which rows of a long table are on the screen. Only they are in the page's tree, so that a table of any length scrolls smoothly.
import { useSignal } from "@preact/signals";
import { useLayoutEffect, useRef } from "preact/hooks";

/** The range moves by this many rows. As many more are above and below the screen, for the Tab key and fast scrolling. */
const step = 10;

/** All rows have the same height, which the style decides. */
export function useWindow(count: number) {
	const body = useRef<HTMLTableSectionElement>(null);
	const range = useSignal({ first: 0, end: 5 * step, height: 0 });
	useLayoutEffect(() => {
		const measure = () => {
			const own = body.current;
			const height = own?.querySelector("tr")?.offsetHeight;
			if (!own || !height) return;
			const above = -own.getBoundingClientRect().top / height;
			const below = above + innerHeight / height;
			const first = Math.max(0, (Math.floor(above / step) - 1) * step);
			const end = Math.max(0, (Math.ceil(below / step) + 1) * step);
			const last = range.peek();
			if (first !== last.first || end !== last.end || height !== last.height)
				range.value = { first, end, height };
		};
		measure();
		for (const event of ["scroll", "resize"]) addEventListener(event, measure);
		return () => {
			for (const event of ["scroll", "resize"])
				removeEventListener(event, measure);
		};
	}, [count]);
	const { height } = range.value;
	const end = Math.min(range.value.end, count);
	// The table may have shrunk.
	const first = Math.min(range.value.first, Math.max(0, end - step));
	return {
		body,
		first,
		end,
		/** Room in the body for the rows that are not in the page. */
		style: {
			paddingTop: `${first * height}px`,
			paddingBottom: `${(count - end) * height}px`,
		},
	};
}
