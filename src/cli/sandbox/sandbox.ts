// `petstore sandbox`: a pet store in memory for people who build clients, with demo animals and a known key.
import { Command, Option } from "@commander-js/extra-typings";
import { OperatorError } from "../../contract/errors.ts";
import type { Address } from "../../http/address.ts";
import { maxDemoAnimals } from "../../limits.ts";
import { createLog, type Log } from "../../log/log.ts";
import { openPetstore, type PetstoreOptions } from "../../petstore.ts";
import { type DemoStart, defaultStart } from "../../sandbox/demo-animals.ts";
import { sandboxKey } from "../../sandbox/key.ts";
import { openBrowser } from "../browser.ts";
import { toCurlExample } from "../curl.ts";
import { wantsColours } from "../environment.ts";
import { portOption, seedOption } from "../options.ts";
import { print } from "../print.ts";
import { handleSignals } from "../signal.ts";
import { refuse, toHost, wholeNumber } from "../values.ts";
import { createReadyFile, type ReadyFile, stdout } from "./ready-file.ts";

export const sandboxCommand = new Command("sandbox")
	.description("run a pet store to try clients on, in memory")
	.addHelpText(
		"after",
		`
It has demo animals and the API key "sandbox", fails on request, and shows the
requests that it got. It reads only the port from the environment.

Examples:
  petstore sandbox --open
  petstore sandbox --animals 5 --seed 42
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
		"--animals <number>",
		`demo animals in the sandbox; ${defaultStart.animals} if not given`,
		wholeNumber(0, maxDemoAnimals),
	)
	.addOption(seedOption)
	.option("--open", "open the reference page in the browser")
	.option(
		"--ready-file <file>",
		"write address and key there, as JSON, when the sandbox is ready; - is stdout, which then has no banner",
		(path: string) => path || refuse("the path of a file"),
	)
	.option(
		"--stop-with-stdin",
		"stop when stdin ends, as it does when the program that started the sandbox ends",
	)
	// Accepted only so that the error can say why they are refused.
	.addOption(new Option("--database <url>").hideHelp())
	.addOption(new Option("--workers <number>").hideHelp())
	.action((flags) => {
		const signals = handleSignals();
		const { host, port, database = "sqlite::memory:" } = flags;
		const { animals, seed } = { ...defaultStart, ...flags };
		// Each worker would have animals, faults and requests of its own.
		if ((flags.workers ?? "1") !== "1")
			throw new OperatorError(
				"The sandbox runs in one process, since its animals are in memory; leave --workers out.",
				2,
			);
		return runSandbox(
			{
				database,
				address: { host, port },
				sandbox: { animals, seed },
				opensBrowser: flags.open ?? false,
				readyFile: flags.readyFile,
			},
			flags.stopWithStdin
				? Promise.race([signals.stop, untilStdinEnds()])
				: signals.stop,
			createLog({ format: "text", colours: wantsColours() }),
		);
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

interface SandboxConfig extends PetstoreOptions {
	readonly address: Address;
	readonly sandbox: DemoStart;
	/** Whether to open the reference page. */
	readonly opensBrowser: boolean;
	/** A file that is there while the sandbox is ready, or - for stdout. */
	readonly readyFile: string | undefined;
}

async function runSandbox(
	config: SandboxConfig,
	stop: Promise<unknown>,
	log: Log,
): Promise<void> {
	const { opensBrowser, readyFile } = config;
	let ready: ReadyFile | undefined;
	const petstore = await openPetstore({
		...config,
		log,
		// Not before the port is known to be free: the file may be that of a sandbox that runs there.
		async prepare() {
			if (readyFile !== undefined) ready = createReadyFile(readyFile);
		},
	});
	const { url } = petstore;
	try {
		ready?.write({ url, key: sandboxKey.key });
		if (readyFile !== stdout) print(toBanner(url, config));
		if (opensBrowser) openBrowser(toReferencePage(url));
		await stop;
	} finally {
		ready?.remove();
		await petstore.stop();
	}
}

/** No line is wider than 80 columns without TLS, whose curl command is longer. */
function toBanner(url: string, { address, sandbox }: SandboxConfig): string {
	return `
A pet store to try clients on, with ${sandbox.animals} animals in memory.

  Address    ${url}
  API key    ${sandboxKey.key}
  Reference  ${toReferencePage(url)}
  Console    ${url}/console

Try it:

${toCurlExample(url, sandboxKey.key, address)}
Put everything back to the start, as often as you like:

  curl -X POST ${url}/sandbox/reset

Requests are logged below. Ctrl-C stops it.

`;
}

function toReferencePage(url: string): string {
	return `${url}/docs`;
}
