// The snippet beside each form: in the chosen language, with the form's values and only a part of the key.
import { type Language, toLanguages, toSnippetRequest } from "../snippets.ts";
import { base } from "./base.ts";
import { createCopy } from "./copy.ts";
import { element, highlight } from "./element.ts";
import { forms, key, maskedKey, readForm } from "./form.ts";

const languageName = "petstore-language";

export function addLanguages(): void {
	for (const form of forms) {
		const { operationId } = form.dataset;
		const choices = toLanguages(readForm(form)).map(({ id, label }) => {
			const input = element("input", "");
			input.type = "radio";
			input.name = `${operationId}-language`;
			input.value = id;
			input.addEventListener("input", () =>
				sessionStorage.setItem(languageName, id),
			);
			return element("label", "", input, label);
		});
		const legend = element("legend", "unseen", `${operationId} in`);
		const choice = element("fieldset", "choice", legend, ...choices);
		const copy = createCopy(() => toCode(form, key()));
		findPlace(form)?.prepend(element("div", "row", choice, ...copy));
	}
}

export function writeSnippets(): void {
	for (const form of forms) {
		const place = findPlace(form);
		const { id } = findLanguage(form);
		for (const input of place?.querySelectorAll("input") ?? [])
			input.checked = input.value === id;
		const code = highlight(toCode(form, key() && maskedKey()));
		place?.querySelector("code")?.replaceChildren(...code);
	}
}

function findPlace(form: HTMLFormElement): Element | null | undefined {
	return form.parentElement?.querySelector(".snippets");
}

function findLanguage(form: HTMLFormElement): Language {
	const id = sessionStorage.getItem(languageName);
	const languages = toLanguages(readForm(form));
	return languages.find((language) => language.id === id) ?? languages[0];
}

function toCode(form: HTMLFormElement, key: string): string {
	const address = document.body.dataset.baseUrl ?? base;
	const request = toSnippetRequest(readForm(form), address, key || undefined);
	return findLanguage(form).write(request);
}
