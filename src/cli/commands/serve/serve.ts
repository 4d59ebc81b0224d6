// `petstore serve`: runs the service until the signal to stop.
import { isLoopback } from "../../../http/address.ts";
import { createLog, type Log } from "../../../log/log.ts";
import { isTerminal } from "../../../log/output.ts";
import { makeKey } from "../../../operator/keys.ts";
import { openPetstore, type Petstore } from "../../../petstore.ts";
import { isMissing } from "../../../store/database-url.ts";
import { findPlainHost } from "../../../store/open.ts";
import type { Store } from "../../../store/store.ts";
import { linkMinutes, makeConsoleLink } from "../../console-link.ts";
import { findUnknownVariables, wantsColours } from "../../environment.ts";
import { usualPort } from "../../flags.ts";
import { print, printOnce } from "../../terminal/print.ts";
import { untilSignal } from "../../terminal/signal.ts";
import { type ServeConfig, serveCommand, toServeConfig } from "./config.ts";

export const command = serveCommand.action((flags) => {
	// First, so that no signal during the start kills the process.
	const stop = untilSignal();
	const config = toServeConfig(flags);
	return serve(config, stop, createLog({ colours: wantsColours() }));
});

async function serve(
	config: ServeConfig,
	stop: Promise<string>,
	log: Log,
): Promise<void> {
	const { databaseUrl } = config;
	const warning = findUnknownVariables();
	if (warning !== undefined) log.warn(warning);
	let hasKey = config.apiKey !== undefined;
	async function prepare({ keys }: Store): Promise<void> {
		hasKey ||= (await keys.list({ after: 0, limit: 1 })).length > 0;
	}
	// Shows a mistyped path in the first line.
	if (isMissing(databaseUrl) && isTerminal(2))
		log.warn(`no database at ${databaseUrl.file}: creating an empty one`);
	const logged = { log: { ...config.log, to: log } };
	const service = await openPetstore({ ...config, ...logged, prepare });
	await run(service, config, stop, log, hasKey);
	log.info("stopped");
}

async function run(
	service: Petstore,
	config: ServeConfig,
	stop: Promise<string>,
	log: Log,
	hasKey: boolean,
): Promise<void> {
	const { url, operatorUrl } = service;
	try {
		await warnOfRisks(config, log);
		log.info(
			{
				url,
				...(operatorUrl !== url && { operatorUrl }),
				database: config.databaseUrl.shown,
			},
			"listening",
		);
		if (!hasKey) await showFirstKey(service, config);
		log.info({ signal: await stop }, "stopping");
	} finally {
		await service.stop(config.drainMs);
	}
}

/** Warns of what makes the service less safe than its operator may think. */
async function warnOfRisks(config: ServeConfig, log: Log): Promise<void> {
	const { apiKey, address, operatorAddress = address } = config;
	if (apiKey !== undefined && apiKey.length < 16)
		log.warn(
			"PETSTORE_API_KEY has fewer than 16 characters and can be guessed",
		);
	const open = [address, operatorAddress].find(({ host }) => !isLoopback(host));
	if (open !== undefined && address.tls === undefined)
		log.warn(
			{ host: open.host },
			"without TLS, anyone on the network path can read and use API keys: give --tls-cert and --tls-key, or use a proxy with TLS",
		);
	const host = await findPlainHost(config.database);
	if (host !== undefined && !isLoopback(host))
		log.warn(
			{ host },
			"without TLS, anyone on the network path can read and change the traffic to PostgreSQL: add sslmode=verify-full or sslmode=require to the database URL",
		);
}

/**
 * Runs after the service listens, so that no key is made without being shown. A shared database gets none: its administrators create keys.
 */
async function showFirstKey(
	{ url, operatorUrl, store }: Petstore,
	config: ServeConfig,
): Promise<void> {
	if (config.databaseUrl.path === undefined)
		return print(
			`\nNo API key exists yet. Make one with "petstore keys create --name NAME" on the same database.\n\n`,
		);
	const toConsole = await showConsole(store, operatorUrl, config);
	// The certificate may be for another name than that of this machine.
	const flags = config.address.tls === undefined ? "" : "--insecure ";
	const { id, key } = await makeKey(store.keys, {
		name: "first key",
		scope: "read-write",
		expiresAt: undefined,
	});
	await printOnce(
		`
Your first API key (it lists and adds animals), shown only this once:

  ${key}

Try it:

  curl ${flags}-H "Authorization: Bearer ${key}" ${url}/v1/pets

${toConsole}
`,
		() => store.keys.revoke(id, Date.now()),
	);
}

/** Shows the link only on a terminal: elsewhere stdout may be a log that others can read. Indents it only if it fits the line. */
async function showConsole(
	{ sessions }: Store,
	url: string,
	config: ServeConfig,
): Promise<string> {
	const later = config.databaseUrl.isInMemory
		? ""
		: `For the console at /console, "${toConsoleCommand(config, url)}" makes a link that signs in.\n`;
	if (!isTerminal(1)) return later;
	const link = await makeConsoleLink(sessions, url);
	const indent = link.length + 2 <= process.stdout.columns ? "  " : "";
	return `Open the console, within ${linkMinutes} minutes:

${indent}${link}
${later && `\nLater, "${toConsoleCommand(config, url)}" makes another link.\n`}`;
}

/** With the flags that the command needs to find this service. */
function toConsoleCommand(
	{ database, isDatabaseTyped }: ServeConfig,
	url: string,
): string {
	const isUsual = url === `http://127.0.0.1:${usualPort}`;
	const words = [
		"petstore console",
		...(isDatabaseTyped ? ["--database", database] : []),
		...(isUsual ? [] : ["--url", url]),
	];
	return words.join(" ");
}
