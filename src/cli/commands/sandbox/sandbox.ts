// `petstore sandbox`: a pet store in memory for people who build clients, with demo animals and a known key.
import { Command } from "@commander-js/extra-typings";
import type { Address } from "../../../http/server/address.ts";
import { createLog } from "../../../log/log.ts";
import { openPetstore } from "../../../petstore.ts";
import { sandboxKey } from "../../../sandbox/access.ts";
import { defaultStart, maxDemoAnimals } from "../../../sandbox/demo-animals.ts";
import { toCurlExample } from "../../curl.ts";
import { wantsColours } from "../../environment.ts";
import {
	portOption,
	refuse,
	seedOption,
	toHost,
	wholeNumber,
} from "../../flags.ts";
import { openBrowser } from "../../terminal/browser.ts";
import { print } from "../../terminal/print.ts";
import { handleSignals } from "../../terminal/signal.ts";
import { toQuantity } from "../../terminal/table.ts";
import { createReadyFile, type ReadyFile, stdout } from "./ready-file.ts";

export const sandboxCommand = new Command("sandbox")
	.description("run a pet store to try clients on, in memory")
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
		"loopback address to listen on",
		toHost,
		"127.0.0.1",
	)
	.option(
		"--pets <number>",
		`demo animals in the sandbox; ${defaultStart.pets} if not given`,
		wholeNumber(0, maxDemoAnimals),
	)
	.addOption(seedOption)
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
		const { stop } = handleSignals();
		const { pets, seed } = { ...defaultStart, ...flags };
		const address = { host, port };
		let ready: ReadyFile | undefined;
		const petstore = await openPetstore({
			database: "sqlite::memory:",
			address,
			sandbox: { pets, seed },
			log: { to: createLog({ format: "text", colours: wantsColours() }) },
			// Not before the port is known to be free: the file may be that of a sandbox that runs there.
			async prepare() {
				if (readyFile !== undefined) ready = createReadyFile(readyFile);
			},
		});
		const { url } = petstore;
		try {
			ready?.write({ url, key: sandboxKey.key });
			if (readyFile !== stdout) print(toBanner(url, address, pets));
			if (flags.open) openBrowser(`${url}/docs`);
			await (flags.stopWithStdin
				? Promise.race([stop, untilStdinEnds()])
				: stop);
		} finally {
			ready?.remove();
			await petstore.stop();
		}
	});

/** The pipe that is stdin ends with the program that started the sandbox, however that died. */
function untilStdinEnds(): Promise<void> {
	return new Promise((resolve) => {
		process.stdin
			.once("error", () => resolve())
			.once("end", () => resolve())
			.resume();
	});
}

/** No line is wider than 80 columns. */
function toBanner(url: string, address: Address, animals: number): string {
	return `
A pet store to try clients on, with ${toQuantity(animals, "animal")} in memory.

  Address    ${url}
  API key    ${sandboxKey.key}
  Reference  ${url}/docs
  Console    ${url}/console

Try it:

${toCurlExample(url, sandboxKey.key, address)}
Put everything back to the start, as often as you like:

  curl -X POST ${url}/sandbox/reset

Requests are logged below. Press Ctrl-C to stop.

`;
}
