// The snippet beside each form: in the chosen language, with the form's values and only a part of the key.
import { toCodeTokens } from "../code-tokens.ts";
import { type Language, toLanguages, toSnippetRequest } from "../snippets.ts";
import { base } from "./base.ts";
import { createCopy } from "./copy.ts";
import { findForms, readForm } from "./form.ts";
import { key, mask } from "./key.ts";
import { element, toNode } from "./shown-reply.ts";

/** Returns a function that rewrites all. */
export function handleSnippets(): () => void {
	const writers = findForms().map((form) => {
		const write = createSnippet(form, (chosen) => {
			sessionStorage.setItem(languageName, chosen.value);
			// The page must not jump when the other snippets change their height.
			const before = chosen.getBoundingClientRect().top;
			writeAll();
			scrollBy(0, chosen.getBoundingClientRect().top - before);
		});
		form.addEventListener("input", write);
		return write;
	});
	const writeAll = () => {
		for (const write of writers) write();
	};
	return writeAll;
}

function createSnippet(
	form: HTMLFormElement,
	onChoice: (chosen: HTMLInputElement) => void,
): () => void {
	const code = form.parentElement?.querySelector(".snippets code");
	if (code == null) return () => {};
	const choices = toLanguages(readForm(form).reply).map(({ id, label }) => {
		const input = element("input", "");
		input.type = "radio";
		input.name = `${form.dataset.operationId}-language`;
		input.value = id;
		input.addEventListener("change", () => onChoice(input));
		return { input, label: element("label", "", input, label) };
	});
	const legend = element("legend", "unseen", `${form.dataset.operationId} in`);
	const row = element(
		"fieldset",
		"",
		legend,
		...choices.map(({ label }) => label),
		...createCopy(() => toCode(form, key())),
	);
	code.parentElement?.before(row);
	return () => {
		for (const { input } of choices)
			input.checked = input.value === findLanguage(readForm(form).reply).id;
		const shown = toCodeTokens(toCode(form, mask(key())));
		code.replaceChildren(...shown.map(toNode));
	};
}

function toCode(form: HTMLFormElement, key: string): string {
	const address = document.body.dataset.baseUrl ?? base;
	const filled = readForm(form);
	return findLanguage(filled.reply).write(
		toSnippetRequest(filled, address, key || undefined),
	);
}

const languageName = "petstore-language";

function findLanguage(reply: string): Language {
	const id = sessionStorage.getItem(languageName);
	const languages = toLanguages(reply);
	return languages.find((language) => language.id === id) ?? languages[0];
}
