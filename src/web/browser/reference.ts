// The script of the reference page: starts its parts, marks in the navigation where the reader is, and handles the snippets.
import { showBase } from "./base.ts";
import { element } from "./exchange.ts";
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
				if (isIntersecting)
					for (const [id, link] of links)
						link.ariaCurrent = id === target.id ? "true" : null;
		},
		// The reader reads the section that crosses a line at a quarter of the height.
		{ rootMargin: "-25% 0px -75% 0px" },
	);
	for (const id of links.keys()) {
		const section = document.getElementById(id);
		if (section !== null) observer.observe(section);
	}
}

/** One language for all operations, and a button that copies. */
function handleSnippets(): void {
	const choices = [
		...document.querySelectorAll<HTMLInputElement>(".snippets input"),
	];
	choose(choices, sessionStorage.getItem("petstore-language"));
	document.addEventListener("change", ({ target }) => {
		if (!(target instanceof HTMLInputElement) || !choices.includes(target))
			return;
		sessionStorage.setItem("petstore-language", target.value);
		// The page must not jump when the other snippets change their height.
		const before = target.getBoundingClientRect().top;
		choose(choices, target.value);
		scrollBy(0, target.getBoundingClientRect().top - before);
	});
	// Browsers have no clipboard on plain HTTP, except on localhost.
	if (navigator.clipboard === undefined) return;
	for (const snippets of document.querySelectorAll(".snippets"))
		snippets.append(createCopyButton(snippets));
}

function choose(
	choices: readonly HTMLInputElement[],
	language: string | null,
): void {
	for (const choice of choices)
		if (choice.value === language) choice.checked = true;
}

function createCopyButton(snippets: Element): Node {
	const button = element("button", "minor copy", "Copy");
	button.type = "button";
	button.addEventListener("click", async () => {
		const language = snippets.querySelector<HTMLInputElement>(":checked");
		const shown = snippets.querySelector(
			`[data-language="${language?.value}"]`,
		);
		const isCopied = await navigator.clipboard
			.writeText(shown?.textContent ?? "")
			.then(() => true)
			.catch(() => false);
		button.textContent = isCopied ? "Copied" : "Not copied";
		setTimeout(() => {
			button.textContent = "Copy";
		}, 2000);
	});
	return button;
}
