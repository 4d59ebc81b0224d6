// The navigation of the reference: marks the section that the reader has reached.

const side = document.querySelector<HTMLElement>(".side");

export function handleContents(): void {
	const links = [
		...(side?.querySelectorAll<HTMLAnchorElement>("a[href^='#']") ?? []),
	];
	const showCurrent = () =>
		links
			.find(({ ariaCurrent }) => ariaCurrent !== null)
			?.scrollIntoView({ block: "nearest" });
	const observer = new IntersectionObserver(
		(entries) => {
			const reached = entries.findLast(({ isIntersecting }) => isIntersecting);
			if (reached === undefined) return;
			for (const link of links)
				link.ariaCurrent =
					link.hash === `#${reached.target.id}` ? "true" : null;
			showCurrent();
		},
		// The section at a line near the top, where a link leads to.
		{ rootMargin: "-15% 0px -85%" },
	);
	for (const { hash } of links) {
		const section = document.querySelector(hash);
		if (section !== null) observer.observe(section);
	}
	// The menu has no size before it opens.
	side?.addEventListener("toggle", showCurrent);
	// A chosen link closes the menu.
	side?.addEventListener("click", ({ target }) => {
		if (target instanceof Element && target.closest("a")) side.hidePopover();
	});
}
