// The script of the reference page.
import { rememberKey } from "./api-key.ts";
import { showBase } from "./base.ts";
import { followReader } from "./contents.ts";
import { handleSnippets } from "./snippets.ts";
import { handleForms } from "./try-it.ts";

showBase();
rememberKey();
handleSnippets();
handleForms();
followReader();
