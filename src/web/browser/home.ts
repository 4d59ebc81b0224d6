// The script of the home page: shows the address of the service as the reader sees it, and buttons that copy.
import { showBase } from "./base.ts";
import { createCopy } from "./copy.ts";

showBase();
for (const code of document.querySelectorAll("pre code"))
	code.parentElement?.after(...createCopy(() => code.textContent ?? ""));
