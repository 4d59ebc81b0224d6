// The script of the home page: shows the address of the service as the reader sees it, and copies the codes.
import { handleCopies, showBase } from "./base.ts";

showBase();
handleCopies(
	({ previousElementSibling }) => previousElementSibling?.textContent ?? "",
);
