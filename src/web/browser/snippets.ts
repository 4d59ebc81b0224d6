// The snippet beside each form: in the chosen language, with the form's values and only a part of the key.
import {
	type Filled,
	type Language,
	toLanguages,
	toSnippetRequest,
} from "../snippets.ts";
import { base } from "./base.ts";
import { createCopy } from "./copy.ts";
import { element, highlight } from "./element.ts";
import { forms, key, mask, readForm } from "./form.ts";

const languageName = "petstore-language";

/** Returns a function that rewrites all. */
export function handleSnippets(): () => void {
	const writers = forms.map((form) => {
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
	const { operationId } = form.dataset;
	const code = form.parentElement?.querySelector(".snippets code");
	const choices = toLanguages(readForm(form)).map(({ id, label }) => {
		const input = element("input", "");
		Object.assign(input, {
			type: "radio",
			name: `${operationId}-language`,
			value: id,
		});
		input.addEventListener("change", () => onChoice(input));
		return element("label", "", input, label);
	});
	const legend = element("legend", "unseen", `${operationId} in`);
	const copy = createCopy(() => toCode(form, key()));
	const choice = element("fieldset", "choice", legend, ...choices);
	const row = element("div", "row", choice, ...copy);
	code?.parentElement?.before(row);
	return () => {
		const { id } = findLanguage(readForm(form));
		for (const input of row.querySelectorAll("input"))
			input.checked = input.value === id;
		code?.replaceChildren(...highlight(toCode(form, mask(key()))));
	};
}

function toCode(form: HTMLFormElement, key: string): string {
	const address = document.body.dataset.baseUrl ?? base;
	const filled = readForm(form);
	return findLanguage(filled).write(
		toSnippetRequest(filled, address, key || undefined),
	);
}

function findLanguage(filled: Filled): Language {
	const id = sessionStorage.getItem(languageName);
	const languages = toLanguages(filled);
	return languages.find((language) => language.id === id) ?? languages[0];
}
