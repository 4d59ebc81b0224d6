// The script of the reference: starts its parts, and shows again what follows from the key, a field or a language.
import { showBase } from "./base.ts";
import { handleContents } from "./contents.ts";
import { key, maskedKey } from "./form.ts";
import { addLanguages, writeSnippets } from "./snippets.ts";
import { handleForms } from "./try-it.ts";

showBase();
addLanguages();
show();
document.addEventListener("input", show);
handleForms();
handleContents();

function show(): void {
	for (const link of document.querySelectorAll(".used-key"))
		link.textContent = key() === "" ? "no API key" : `key ${maskedKey()}`;
	writeSnippets();
}
