// Marks in the navigation where the reader is.

export function followReader(): void {
	const links = new Map(
		[...document.querySelectorAll<HTMLAnchorElement>(".side a")].map(
			(link) => [link.hash.slice(1), link] as const,
		),
	);
	const observer = new IntersectionObserver(
		(entries) => {
			for (const { isIntersecting, target } of entries)
				if (isIntersecting) mark(links.get(target.id), links.values());
		},
		// A line at a quarter of the height: the section that crosses it is being read.
		{ rootMargin: "-25% 0px -75% 0px" },
	);
	for (const id of links.keys()) {
		const section = document.getElementById(id);
		if (section !== null) observer.observe(section);
	}
}

function mark(
	current: HTMLAnchorElement | undefined,
	links: Iterable<HTMLAnchorElement>,
): void {
	for (const link of links)
		if (link === current) link.setAttribute("aria-current", "true");
		else link.removeAttribute("aria-current");
}
