// The navigation of the reference: marks the current section, and filters operations and schemas.

const side = document.querySelector<HTMLElement>(".side");
const list = side?.querySelector(".links");
const links = [...(side?.querySelectorAll("a") ?? [])];

export function handleContents(): void {
	if (side === null || list == null) return;
	followReader(list);
	handleFilter(side);
	// A chosen link closes the menu.
	side.addEventListener("click", ({ target }) => {
		if (target instanceof Element && target.closest("a")) side.hidePopover();
	});
}

function followReader(list: Element): void {
	const sections = links.flatMap((link) => {
		const isHere = link.getAttribute("href")?.startsWith("#");
		const section = isHere && document.getElementById(link.hash.slice(1));
		return section ? [{ link, section }] : [];
	});
	let current: HTMLAnchorElement | undefined;
	const mark = () => {
		// A section that was linked to starts above this line.
		const reached = sections.findLast(
			({ section }) => section.getBoundingClientRect().top < 100,
		);
		const { link } = reached ?? sections[0] ?? {};
		if (link === current || link === undefined) return;
		current?.removeAttribute("aria-current");
		link.setAttribute("aria-current", "true");
		current = link;
		keepInView();
	};
	const keepInView = () => {
		const { top = 0, bottom = 0 } = current?.getBoundingClientRect() ?? {};
		const seen = list.getBoundingClientRect();
		if (top < seen.top || bottom > seen.bottom)
			list.scrollTop += top - seen.top - seen.height / 2;
	};
	mark();
	addEventListener("scroll", mark, { passive: true });
	// The menu has no size before it opens.
	side?.addEventListener("toggle", keepInView);
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
