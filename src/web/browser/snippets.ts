// The snippets: one choice of language for all operations, and a button that copies.
import { element } from "./exchange.ts";

export function handleSnippets(): void {
	const choices = [
		...document.querySelectorAll<HTMLInputElement>(".snippets input"),
	];
	choose(choices, sessionStorage.getItem(name));
	document.addEventListener("change", ({ target }) => {
		if (!(target instanceof HTMLInputElement) || !choices.includes(target))
			return;
		sessionStorage.setItem(name, target.value);
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

const name = "petstore-language";

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
