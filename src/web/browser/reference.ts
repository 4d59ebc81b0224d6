// The script of the reference: shows again what follows from the key, a field or a language, and marks the section that the reader reached.
import { highlight } from "../html.ts";
import { languages, toSnippetRequest } from "../snippets.ts";
import { base, handleCopies, showBase } from "./base.ts";
import { forms, handleForms, key, maskedKey, readForm } from "./try-it.ts";

const languageName = "petstore-language";

showBase();
show();
document.addEventListener("input", ({ target }) => {
	if (target instanceof HTMLInputElement && target.type === "radio")
		sessionStorage.setItem(languageName, target.value);
	show();
});
handleCopies((button) => {
	const form = button.closest(".use")?.querySelector("form");
	return form ? toCode(form, key()) : "";
});
handleForms();
markSections();

function show(): void {
	for (const link of document.querySelectorAll(".used-key"))
		link.textContent = key() === "" ? "no API key" : `key ${maskedKey()}`;
	for (const form of forms) {
		const code = form.parentElement?.querySelector(".snippets code");
		if (code)
			code.innerHTML = highlight(toCode(form, key() && maskedKey())).text;
	}
}

/** In the chosen language, which not every operation has. */
function toCode(form: HTMLFormElement, key: string): string {
	const choices = [
		...(form.parentElement?.querySelectorAll<HTMLInputElement>(
			".choice input",
		) ?? []),
	];
	const chosen = sessionStorage.getItem(languageName);
	const choice = choices.find(({ value }) => value === chosen) ?? choices[0];
	if (choice) choice.checked = true;
	const address = document.body.dataset.baseUrl ?? base;
	const request = toSnippetRequest(readForm(form), address, key || undefined);
	return languages[choice?.value ?? ""]?.write(request) ?? "";
}

function markSections(): void {
	const side = document.querySelector<HTMLElement>(".side");
	const links = [
		...(side?.querySelectorAll<HTMLAnchorElement>("a[href^='#']") ?? []),
	];
	let current: HTMLAnchorElement | undefined;
	const showCurrent = () => current?.scrollIntoView({ block: "nearest" });
	const observer = new IntersectionObserver(
		(entries) => {
			const reached = entries.findLast(({ isIntersecting }) => isIntersecting);
			if (reached === undefined) return;
			current = links.find(({ hash }) => hash === `#${reached.target.id}`);
			for (const link of links)
				link.ariaCurrent = link === current ? "true" : null;
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
