// The script of the reference page: starts its parts, and marks in the navigation where the reader is.
import { showBase } from "./base.ts";
import { handleSnippets } from "./snippets.ts";
import { handleForms, rememberKey } from "./try-it.ts";

showBase();
rememberKey();
handleSnippets();
handleForms();
followReader();

function followReader(): void {
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
