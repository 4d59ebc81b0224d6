// `petstore health`: an exit status that says whether a running service answers. For the health checks of containers, whose images have no
// curl.
import { OperatorError, toReason } from "../../domain/errors.ts";
import { toSwitch } from "../../domain/types/scalar.ts";
import { optional, withDefault } from "../../domain/types/type.ts";
import { isLoopback, toUrl } from "../../http/address.ts";
import { toCommand, withVariables } from "../command.ts";
import { ignoreProxies } from "../environment.ts";
import { hostOf, portOf, urlOf, usesTls } from "../flags.ts";
import { print } from "../terminal/print.ts";

/** How long `petstore health` waits: longer than the service takes to reply that it is not ready. */
export const healthMs = 4_000;

/** With the variables of `serve`, so that a container's check needs no flags. */
export const flags = withVariables({
	ready: toSwitch("Check /readyz: whether the service can answer requests."),
	port: portOf("Port that the service listens on."),
	host: withDefault(
		hostOf("Address that the service listens on."),
		"127.0.0.1",
	),
	tlsCert: usesTls,
	url: optional(
		urlOf("Address of the service, in place of port, host and TLS."),
	),
});

export const command = toCommand("health", {
	flags,
	help: `Sends GET /healthz; the exit status is 0 if the reply is 200, and 1 if not. Use
it for the health check of a container: a restart does not repair a database
that fails, which --ready would find. It reads the variables of "serve".`,
	examples: [
		"petstore health",
		"petstore health --ready --port 9000",
		"petstore health --url https://pets.example",
	],
	async run(given) {
		const path = given.ready ? "/readyz" : "/healthz";
		const { host, port, tlsCert: tls } = given;
		const url = (given.url ?? toUrl({ host, tls }, port)) + path;
		// A proxy cannot reach the loopback address of this machine.
		if (given.url === undefined || isLoopback(new URL(url).hostname))
			ignoreProxies();
		const { ok, status } = await ask(url, given.url !== undefined);
		if (!ok) throw new OperatorError(`${url} answers ${status}.`);
		print(`${url} answers ${status}.\n`);
	},
});

/** Does not verify the certificate on this machine: it has a name for other machines, and nothing secret is sent. */
async function ask(url: string, rejectUnauthorized: boolean) {
	const signal = AbortSignal.timeout(healthMs);
	const tls = { rejectUnauthorized };
	try {
		return await fetch(url, { redirect: "manual", signal, tls });
	} catch (error) {
		// Bun's message continues with a question, or is one.
		const cause = toReason(error)
			.replace(/^Was there .*/s, "Unable to connect")
			.replace(/\.( .*)?$/s, "");
		throw new OperatorError(`${url} does not answer: ${cause}.`);
	}
}
