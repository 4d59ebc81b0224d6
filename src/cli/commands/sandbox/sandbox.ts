// `petstore sandbox`: a pet store in memory for people who build clients, with demo animals and a known key.
import { Command } from "@commander-js/extra-typings";
import { visibleAscii } from "../../../domain/api-key.ts";
import { OperatorError } from "../../../domain/errors.ts";
import { toQuantity } from "../../../domain/quantity.ts";
import { maxFaultDelayMs } from "../../../limits.ts";
import { createLog } from "../../../log/log.ts";
import { openPetstore } from "../../../petstore.ts";
import { defaultKey } from "../../../sandbox/access.ts";
import { defaultStart, maxDemoAnimals } from "../../../sandbox/demo-animals.ts";
import { wantsColours } from "../../environment.ts";
import { portOption, refuse, toHost, wholeNumber } from "../../flags.ts";
import { openBrowser } from "../../terminal/browser.ts";
import { print } from "../../terminal/print.ts";
import { untilSignal } from "../../terminal/signal.ts";
import { readDataFile } from "./data-file.ts";
import { createReadyFile, type ReadyFile, stdout } from "./ready-file.ts";

export const command = new Command("sandbox")
	.addHelpText(
		"after",
		`
The sandbox has demo animals and the API key "sandbox". It fails on request and
shows the requests that it received. It reads only the port from the
environment.

Examples:
  petstore sandbox --open
  petstore sandbox --pets 5 --seed 42
  petstore sandbox --port 0 --ready-file ready.json
  petstore sandbox --port 0 --ready-file - --stop-with-stdin`,
	)
	.addOption(portOption("port to listen on; 0 takes a free one"))
	.option(
		"--host <address>",
		"address to listen on; one that is not loopback needs --allow-host",
		toHost,
		"127.0.0.1",
	)
	.option(
		"--allow-host <name>",
		"host that clients on other machines may call; repeatable, * is any",
		(name: string, names: readonly string[] = []) => [
			...names,
			name === "*" ? name : toHost(name.replace(/^([^:]+):\d+$/, "$1")),
		],
	)
	.option(
		"--key <key>",
		"API key of the sandbox",
		(text) =>
			visibleAscii.test(text)
				? text
				: refuse("1 to 255 visible ASCII characters"),
		defaultKey,
	)
	.option(
		"--pets <number>",
		`demo animals in the sandbox; by default ${defaultStart.pets}`,
		wholeNumber(0, maxDemoAnimals),
	)
	.option(
		"--seed <number>",
		"seed for the demo animals",
		wholeNumber(0, Number.MAX_SAFE_INTEGER),
		defaultStart.seed,
	)
	.option(
		"--data <file>",
		"start with the animals of this NDJSON or CSV file, with their ids if it has them",
	)
	.option(
		"--delay <ms>",
		"delay every request to /v1 and /operator/v1 by this many milliseconds",
		wholeNumber(0, maxFaultDelayMs),
	)
	.option("--open", "open the reference page in the browser")
	.option(
		"--ready-file <file>",
		"write address and key to this file, as JSON, when the sandbox is ready; - is stdout, without the banner",
		(path: string) => path || refuse("the path of a file"),
	)
	.option(
		"--stop-with-stdin",
		"stop when stdin ends, for example with the program that started the sandbox",
	)
	.action(async ({ host, port, readyFile, ...flags }) => {
		const stop = untilSignal();
		const { key, allowHost: allowHosts, delay, data, seed } = flags;
		if (data !== undefined && flags.pets !== undefined)
			throw new OperatorError("Give either --data or --pets.", 2);
		const pets =
			data === undefined
				? (flags.pets ?? defaultStart.pets)
				: readDataFile(data);
		const address = { host, port };
		let ready: ReadyFile | undefined;
		const petstore = await openPetstore({
			database: "sqlite::memory:",
			address,
			sandbox: { pets, seed, key, allowHosts, delay },
			log: { to: createLog({ format: "text", colours: wantsColours() }) },
			// Only once the port is free: the file may belong to a sandbox that runs there.
			async prepare() {
				if (readyFile !== undefined) ready = createReadyFile(readyFile);
			},
		});
		const { url } = petstore;
		try {
			ready?.write({ url, key });
			const count = typeof pets === "number" ? pets : pets.length;
			if (readyFile !== stdout)
				print(toBanner(url, key, count, allowHosts !== undefined));
			if (flags.open) openBrowser(`${url}/docs`);
			await (flags.stopWithStdin
				? Promise.race([stop, untilStdinEnds()])
				: stop);
		} finally {
			ready?.remove();
			await petstore.stop();
		}
	});

/** Stdin, a pipe, closes when the parent process exits, even by a crash. Not `process.stdin`, which Bun loads slowly. */
async function untilStdinEnds(): Promise<void> {
	try {
		for await (const _ of Bun.stdin.stream());
	} catch {}
}

/** No line is wider than 80 columns. */
function toBanner(
	url: string,
	key: string,
	count: number,
	/** Whether the control paths need the key. */
	needsKey: boolean,
): string {
	const header = needsKey ? ` -H "Authorization: Bearer ${key}" \\\n   ` : "";
	return `
A pet store to try clients on, with ${toQuantity(count, "animal")} in memory.

  Address    ${url}
  API key    ${key}
  Reference  ${url}/docs
  Console    ${url}/console
  Control    ${url}/sandbox

Try it:

  curl -H "Authorization: Bearer ${key}" ${url}/v1/pets

Reset the sandbox, as often as you like:

  curl -X POST${header} ${url}/sandbox/reset

Requests are logged below. Press Ctrl-C to stop.

`;
}
