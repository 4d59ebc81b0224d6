// Opens an address in the user's browser. A failure only prints a line.
import { spawn } from "node:child_process";
import { say } from "./print.ts";

export function openBrowser(url: string): void {
	const [program, ...args] = toCommand(process.platform);
	const explain = () =>
		say(`petstore: ${program} could not open a browser; open ${url} yourself.`);
	const child = spawn(program, [...args, url], {
		stdio: "ignore",
		detached: true,
	});
	child.once("error", explain);
	child.once("exit", (status) => {
		if (status !== 0) explain();
	});
	child.unref();
}

function toCommand(platform: NodeJS.Platform): [string, ...string[]] {
	if (platform === "darwin") return ["open"];
	// `start` is built into this shell.
	if (platform === "win32") return ["cmd", "/c", "start"];
	return ["xdg-open"];
}
