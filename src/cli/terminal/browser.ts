// Opens an address in the user's browser. A failure only prints a line.
import { spawn } from "node:child_process";
import { say } from "./print.ts";

export function openBrowser(url: string): void {
	const explain = () =>
		say(`petstore: xdg-open could not open a browser; open ${url} yourself.`);
	const child = spawn("xdg-open", [url], { stdio: "ignore", detached: true });
	child.once("error", explain);
	child.once("exit", (status) => {
		if (status !== 0) explain();
	});
	child.unref();
}
