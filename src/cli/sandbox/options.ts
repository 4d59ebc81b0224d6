// The flags of `petstore sandbox`.
import { InvalidArgumentError, Option } from "commander";
import {
	type DemoFlags,
	demoOptions,
	portOption,
	toHost,
	toWorkers,
} from "../options.ts";

export const sandboxOptions = [
	portOption,
	new Option("--host <address>", "loopback address to listen on")
		.default("127.0.0.1")
		.argParser(toHost),
	...demoOptions,
	new Option("--open", "open the reference page in the browser"),
	new Option(
		"--ready-file <file>",
		"write address and key there, as JSON, when the sandbox is ready; - is stdout, which then has no banner",
	).argParser(toPath),
	new Option(
		"--stop-with-stdin",
		"stop when stdin ends, as it does when the program that started the sandbox ends",
	),
	// Accepted only so that the error can say why they are refused.
	new Option("--database <url>").hideHelp(),
	new Option("--workers <number>").argParser(toWorkers).hideHelp(),
];

export interface SandboxFlags extends DemoFlags {
	readonly port: number;
	readonly host: string;
	readonly open?: true;
	readonly readyFile?: string;
	readonly stopWithStdin?: true;
	readonly database?: string;
	readonly workers?: number;
}

function toPath(text: string): string {
	if (text !== "") return text;
	throw new InvalidArgumentError("It must be the path of a file.");
}
