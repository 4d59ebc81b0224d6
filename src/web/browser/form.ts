// Reads the form of an operation (reference/try-it.ts).
import type { Filled } from "../snippets.ts";

export function findForms(): readonly HTMLFormElement[] {
	return [...document.querySelectorAll<HTMLFormElement>("form.try")];
}

export function readForm(form: HTMLFormElement): Filled {
	const { method = "", path = "", bodyType = "", reply = "" } = form.dataset;
	const fields = form.querySelectorAll<HTMLInputElement | HTMLSelectElement>(
		"[data-place]",
	);
	return {
		method,
		path,
		bodyType,
		reply,
		needsKey: !("keyless" in form.dataset),
		values: [...fields]
			.map(({ dataset: { place = "" }, name, value }) => ({
				place,
				name,
				value,
			}))
			.filter(({ value }) => value !== ""),
		bodyText: form.querySelector("textarea")?.value || undefined,
	};
}
