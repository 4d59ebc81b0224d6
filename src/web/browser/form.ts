// The forms of the operations (reference/operation.ts), and the API key of the reader. Only this tab stores it, and the page shows only its start.
import { parseRounded } from "../../client/json.ts";
import type { Filled } from "../snippets.ts";

export const forms = [
	...document.querySelectorAll<HTMLFormElement>("form.try"),
];

export function readForm(form: HTMLFormElement): Filled {
	const fields = form.querySelectorAll<HTMLInputElement | HTMLSelectElement>(
		"[data-place]",
	);
	return {
		...parseRounded<Filled>(form.dataset.fixed ?? ""),
		values: [...fields]
			.filter(({ value }) => value !== "")
			.map(({ dataset: { place = "" }, name, value }) => ({
				...{ place, name, value },
			})),
		bodyText: form.querySelector("textarea")?.value || undefined,
	};
}

const keyField = document.querySelector<HTMLInputElement>("#key");
const example = keyField?.dataset.example ?? "";
const keyName = "petstore-api-key";

if (keyField !== null)
	keyField.value = sessionStorage.getItem(keyName) ?? example;
keyField?.addEventListener("input", () =>
	sessionStorage.setItem(keyName, key()),
);

export function key(): string {
	return keyField?.value.trim() ?? "";
}

/** Shows only the start of the key, since others may see the screen. The example key is not a secret. */
export function maskedKey(): string {
	if (key() === example) return example;
	return key().length < 16 ? "…" : `${key().slice(0, 8)}…`;
}
