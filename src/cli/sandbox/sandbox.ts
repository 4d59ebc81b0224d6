// `petstore sandbox`: a pet store in memory for people who build clients, with demo animals and a known key.
import type { Command } from "commander";
import { createLog } from "../../log/log.ts";
import { readPlatformPort, wantsColours } from "../environment.ts";
import { portOption } from "../options.ts";
import { handleSignals } from "../signal.ts";
import { type SandboxFlags, sandboxOptions } from "./options.ts";
import { runSandbox, type SandboxConfig } from "./run.ts";
import { requireSingleWorker, toStart } from "./start.ts";
import { untilStdinEnds } from "./stdin.ts";

export function addSandbox(program: Command): void {
	const command = program
		.command("sandbox")
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
		.action(() => {
			const signals = handleSignals();
			const flags = command.optsWithGlobals<SandboxFlags>();
			const config = toConfig(flags);
			const log = createLog({ format: "text", colours: wantsColours() });
			const stop = flags.stopWithStdin
				? Promise.race([signals.stop, untilStdinEnds()])
				: signals.stop;
			return runSandbox(config, stop, log);
		});
	readPlatformPort(portOption);
	for (const option of sandboxOptions) command.addOption(option);
}

function toConfig(flags: SandboxFlags): SandboxConfig {
	const { host, port, database = "sqlite::memory:", workers = 1 } = flags;
	requireSingleWorker(workers);
	return {
		database,
		address: { host, port },
		sandbox: toStart(flags),
		opensBrowser: flags.open ?? false,
		readyFile: flags.readyFile,
	};
}
