// `petstore serve`: runs the service until the signal to stop, in this process or in several workers.
import type { Command } from "commander";
import type { Logger } from "pino";
import { isLoopback } from "../http/address.ts";
import { createLog } from "../log.ts";
import { openPetstore } from "../petstore.ts";
import { isEmbedded, toPublicUrl } from "../store/open.ts";
import { openWorkers } from "../workers/supervisor.ts";
import { work } from "../workers/worker.ts";
import { type ServeConfig, toServeConfig } from "./config.ts";
import { readPlatformPort } from "./environment.ts";
import { issueKey } from "./issue-key.ts";
import { portOption, type ServeFlags, serveOptions } from "./options.ts";
import { print } from "./print.ts";
import { reloadAtSignals, type Service } from "./reload.ts";
import { firstSignal, holdSignals } from "./signal.ts";

export function addServe(program: Command): void {
	const command = program
		.command("serve")
		.description("run the service")
		.addHelpText(
			"after",
			`
The environment variable PETSTORE_API_KEY names a key that is valid beside the stored ones.

Examples:
  petstore serve --port 9000 --workers auto
  petstore serve --database sqlite::memory:
  PETSTORE_API_KEY=a-key-for-the-tests petstore serve --port 0`,
		)
		.action(() => {
			const stopsAtHangUp = holdSignals();
			const config = toServeConfig(command.optsWithGlobals<ServeFlags>());
			return serve(config, stopsAtHangUp, createLog(config.worker));
		});
	readPlatformPort(portOption);
	for (const option of serveOptions) command.addOption(option);
}

async function serve(
	config: ServeConfig,
	stopsAtHangUp: boolean,
	log: Logger,
): Promise<void> {
	const { drainMs, worker, workers: count } = config;
	const open = () => openPetstore({ ...config, log });
	if (worker !== undefined)
		await work(await open(), firstSignal(stopsAtHangUp), drainMs);
	else if (count === 1) await run(await open(), config, stopsAtHangUp, log);
	else
		await run(
			await openWorkers({ ...config, count, log }),
			config,
			stopsAtHangUp,
			log,
		);
	log.info("stopped");
}

async function run(
	service: Service,
	config: ServeConfig,
	stopsAtHangUp: boolean,
	log: Logger,
): Promise<void> {
	const { apiKey, drainMs, workers } = config;
	const { url, store } = service;
	const signal = firstSignal(stopsAtHangUp);
	reloadAtSignals(service, { tls: config.address.tls, stopsAtHangUp, log });
	try {
		warnOfShortKey(config, log);
		warnOfPlainText(config, log);
		const database = toPublicUrl(config.database);
		log.info({ url, database, ...(workers > 1 && { workers }) }, "listening");
		if (apiKey === undefined && (await store.keys.list()).length === 0)
			await showFirstKey(service, config);
		log.info({ signal: await signal }, "stopping");
	} finally {
		await service.stop({ drainMs });
	}
}

function warnOfShortKey({ apiKey }: ServeConfig, log: Logger): void {
	if (apiKey !== undefined && apiKey.length < 16)
		log.warn(
			"PETSTORE_API_KEY has fewer than 16 characters and can be guessed",
		);
}

function warnOfPlainText({ address }: ServeConfig, log: Logger): void {
	const { host, tls } = address;
	if (tls === undefined && !isLoopback(host))
		log.warn(
			{ host },
			"without TLS, anyone on the network path can read and use the keys that clients send: give --tls-cert and --tls-key, or put a proxy with TLS in front",
		);
}

/**
 * Only now that the service listens, so that no key is made without being shown. A shared database gets none: its administrators create
 * keys themselves.
 */
async function showFirstKey(
	{ url, store }: Service,
	{ database }: ServeConfig,
): Promise<void> {
	if (!isEmbedded(database))
		return print(
			'\nThere is no API key yet. Make one with "petstore keys create --name NAME" on the same database.\n\n',
		);
	await issueKey(
		store.keys,
		{ name: "first key", scope: "read-write", expiresAt: undefined },
		({ key }) => `
Your first API key, shown only this once:

  ${key}

Try it:

  curl -H "Authorization: Bearer ${key}" ${url}/v1/pets

`,
	);
}
