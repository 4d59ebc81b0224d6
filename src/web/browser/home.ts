// The script of the home page: shows the address of the service as the reader sees it, and copies the codes.
import { showBase } from "./base.ts";
import { handleCopies } from "./copy.ts";

showBase();
handleCopies(
	({ previousElementSibling }) => previousElementSibling?.textContent ?? "",
);
