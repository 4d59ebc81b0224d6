// The script of the reference: starts its parts.
import { showBase } from "./base.ts";
import { handleContents } from "./contents.ts";
import { followKey } from "./form.ts";
import { handleSnippets } from "./snippets.ts";
import { handleForms } from "./try-it.ts";

showBase();
followKey(handleSnippets());
handleForms();
handleContents();
