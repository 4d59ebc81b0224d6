// The navigation of the reference: marks the current section, and filters operations and schemas.

const side = document.querySelector<HTMLElement>(".side");

export function handleContents(): void {
	if (side === null) return;
	followReader(side);
	handleFilter(side);
	// A chosen link closes the menu.
	side.addEventListener("click", ({ target }) => {
		if (target instanceof Element && target.closest("a")) side.hidePopover();
	});
}

function followReader(side: HTMLElement): void {
	const links = side.querySelectorAll<HTMLAnchorElement>("a[href^='#']");
	const sections = [...links].map((link) => ({
		link,
		section: document.getElementById(link.hash.slice(1)),
	}));
	let current: HTMLAnchorElement | undefined;
	const list = side.querySelector(".links");
	const keepInView = () => {
		if (list === null || current === undefined) return;
		const { top, bottom } = current.getBoundingClientRect();
		const seen = list.getBoundingClientRect();
		if (top < seen.top || bottom > seen.bottom)
			list.scrollTop += top - seen.top - seen.height / 2;
	};
	const mark = () => {
		// A section that was linked to starts above this line.
		const reached = sections.findLast(
			({ section }) => section && section.getBoundingClientRect().top < 100,
		);
		const { link } = reached ?? sections[0] ?? {};
		if (link === current) return;
		current?.removeAttribute("aria-current");
		link?.setAttribute("aria-current", "true");
		current = link;
		keepInView();
	};
	mark();
	addEventListener("scroll", mark, { passive: true });
	// The menu has no size before it opens.
	side.addEventListener("toggle", keepInView);
}

/** Hides the links without all the words. */
function handleFilter(side: HTMLElement): void {
	const field = side.querySelector("input");
	field?.parentElement?.removeAttribute("hidden");
	field?.addEventListener("input", () => {
		const words = field.value.toLowerCase().split(/\s+/);
		for (const group of side.querySelectorAll<HTMLElement>(".links > div")) {
			const items = [...group.querySelectorAll("li")];
			for (const item of items) {
				const { title = "" } = item.querySelector("a") ?? {};
				const text = `${item.textContent} ${title}`.toLowerCase();
				item.hidden = !words.every((word) => text.includes(word));
			}
			group.hidden = items.every(({ hidden }) => hidden);
		}
	});
}
