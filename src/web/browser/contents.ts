// The navigation of the reference: marks the current section, filters operations and schemas, opens sections of other pages.

const side = document.querySelector<HTMLElement>(".side");
const list = side?.querySelector(".links");
const links = [...(side?.querySelectorAll("a") ?? [])];

export function handleContents(): void {
	if (side === null || list == null) return;
	openElsewhere();
	addEventListener("hashchange", openElsewhere);
	followReader(list);
	handleFilter(side);
	// A chosen link closes the menu.
	side.addEventListener("click", ({ target }) => {
		if (target instanceof Element && target.closest("a")) closeMenu();
	});
}

/** If the address names a section of another page. */
function openElsewhere(): void {
	const { hash } = location;
	if (document.getElementById(hash.slice(1)) !== null) return;
	const link = links.find((one) => hash !== "" && one.hash === hash);
	if (link !== undefined) location.replace(link.href);
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

function handleFilter(side: HTMLElement): void {
	const field = side.querySelector("input");
	const groups = [...side.querySelectorAll<HTMLElement>(".links > div")];
	const status = side.querySelector(".note");
	if (field === null) return;
	field.parentElement?.removeAttribute("hidden");
	const filter = () => {
		const words = field.value.toLowerCase().split(/\s+/).filter(Boolean);
		for (const group of groups) {
			const items = [...group.querySelectorAll("li")];
			for (const item of items) {
				const { title = "" } = item.querySelector("a") ?? {};
				const text = `${item.textContent} ${title}`.toLowerCase();
				item.hidden = !words.every((word) => text.includes(word));
			}
			const isOpen = words.length > 0 || !("elsewhere" in group.dataset);
			group.hidden = !isOpen || items.every(({ hidden }) => hidden);
		}
		const isFound = groups.some(({ hidden }) => !hidden);
		if (status !== null) status.textContent = isFound ? "" : "No match.";
	};
	let before: EventTarget | null = null;
	field.addEventListener("input", filter);
	field.addEventListener("focus", ({ relatedTarget }) => {
		before = relatedTarget;
	});
	field.addEventListener("keydown", ({ key }) => {
		if (key === "Enter")
			side
				.querySelector<HTMLElement>("div:not([hidden]) > ul > :not([hidden]) a")
				?.click();
		if (key !== "Escape") return;
		field.value = "";
		filter();
		field.blur();
		closeMenu();
		if (before instanceof HTMLElement) before.focus();
	});
	document.addEventListener("keydown", (event) => {
		const { target, ctrlKey, metaKey, altKey } = event;
		if (event.key !== "/" || ctrlKey || metaKey || altKey) return;
		if (target instanceof Element && target.matches("input, textarea, select"))
			return;
		event.preventDefault();
		if (!side.checkVisibility()) side.showPopover();
		field.focus();
	});
}

function closeMenu(): void {
	if (side?.matches(":popover-open")) side.hidePopover();
}
