// Runs a sandbox until it is to stop, and tells people and programs where it is.
import type { Address } from "../../http/address.ts";
import type { Log } from "../../log/log.ts";
import { openPetstore, type PetstoreOptions } from "../../petstore.ts";
import type { DemoStart } from "../../sandbox/demo-animals.ts";
import { sandboxKey } from "../../sandbox/key.ts";
import { openBrowser } from "../browser.ts";
import { toCurlExample } from "../curl.ts";
import { print } from "../print.ts";
import { createReadyFile, type ReadyFile, stdout } from "./ready-file.ts";

export interface SandboxConfig extends PetstoreOptions {
	readonly address: Address;
	readonly sandbox: DemoStart;
	readonly drainMs?: number;
	/** Whether to open the reference page. */
	readonly opensBrowser?: boolean;
	/** A file that is there while the sandbox is ready, or - for stdout. */
	readonly readyFile?: string | undefined;
}

export async function runSandbox(
	config: SandboxConfig,
	stop: Promise<unknown>,
	log: Log,
): Promise<void> {
	const { opensBrowser = false, readyFile, drainMs = 0 } = config;
	let ready: ReadyFile | undefined;
	const petstore = await openPetstore({
		...config,
		log: { ...config.log, to: log },
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
		await petstore.stop({ drainMs });
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
