// `petstore serve`: everything wired together, from the configuration to the last signal.
import { once } from "node:events";
import type { Command } from "commander";
import type { Logger } from "pino";
import { toOpenApi } from "../contract/openapi.ts";
import { idempotencyLifetimeMs } from "../contract/v1.ts";
import { createApp } from "../http/app.ts";
import { createAuthenticate } from "../http/auth.ts";
import { createLimitRate } from "../http/rate-limit.ts";
import { isLoopback, listen, type Server } from "../http/server.ts";
import { createLog } from "../log.ts";
import { isEmbedded, openStore, toPublicUrl } from "../store/open.ts";
import type { Store } from "../store/store.ts";
import { startWorkers } from "../workers/supervisor.ts";
import {
	type ServeConfig,
	type ServeFlags,
	serveOptions,
	toServeConfig,
} from "./config.ts";
import { issueKey } from "./issue.ts";
import { print } from "./print.ts";
import { firstSignal } from "./signal.ts";

export function addServe(program: Command): void {
	const command = program
		.command("serve")
		.description("run the service")
		.addHelpText(
			"after",
			`
The environment variable API_KEY names a key that is valid beside the stored ones.

Examples:
  petstore serve --port 9000 --workers auto
  petstore serve --database sqlite::memory:
  API_KEY=a-key-for-the-tests petstore serve --port 0`,
		)
		.action(() => {
			const config = toServeConfig(command.optsWithGlobals<ServeFlags>());
			return serve(config, createLog(config.worker));
		});
	for (const option of serveOptions) command.addOption(option);
}

async function serve(config: ServeConfig, log: Logger): Promise<void> {
	const { database, poolSize, worker, workers } = config;
	// A worker finds what its supervisor has made; a database that was removed since is no reason for an empty one.
	const create = worker === undefined;
	const store = await openStore(database, { create, poolSize });
	try {
		if (worker !== undefined)
			await work(openServer(store, config, log), config);
		else if (workers === 1)
			await run(openServer(store, config, log), store, config, log);
		else await run(await startWorkers(config, log), store, config, log);
	} finally {
		await store.close();
	}
	log.info("stopped");
}

/** The service in one process. */
function openServer(store: Store, config: ServeConfig, log: Logger): Server {
	const { apiKey, operationIds, logRequests, host, port, worker } = config;
	const { rateLimit, tls } = config;
	const authenticate = createAuthenticate({
		store,
		apiKey,
		onUnrecordedUse: (err) =>
			log.warn({ err }, "the last use of a key was not recorded"),
	});
	const limitRate = rateLimit && createLimitRate(rateLimit);
	const openapi = toOpenApi(config);
	return listen(
		createApp({
			store,
			authenticate,
			limitRate,
			operationIds,
			openapi,
			log,
			logRequests,
		}),
		{ host, port, tls, reusePort: worker !== undefined },
	);
}

/** As the process that was started, alone or as the supervisor: what is to be done once, until the signal to stop. */
async function run(
	server: Server,
	store: Store,
	config: ServeConfig,
	log: Logger,
): Promise<void> {
	const { apiKey, workers } = config;
	const { url } = server;
	const database = toPublicUrl(config.database);
	const signal = firstSignal();
	warnOfShortKey(apiKey, log);
	warnOfPlainText(config, log);
	log.info({ url, database, ...(workers > 1 && { workers }) }, "listening");
	const stopForgetting = forgetRegularly(store, log);
	try {
		if (apiKey === undefined && (await store.listKeys()).length === 0)
			await helpToFirstKey(store, config, url);
		log.info({ signal: await signal }, "stopping");
	} finally {
		stopForgetting();
		await server.stop(config);
	}
}

/** As a worker: until a signal or a word of the supervisor; or until that is no more, and then at once, since the next one wants the port. */
async function work(server: Server, { drainMs }: ServeConfig): Promise<void> {
	const signal = firstSignal().then(() => true);
	const told = once(process, "message").then(() => true);
	const lost = once(process, "disconnect").then(() => false);
	process.send?.("listening");
	const isMeant = await Promise.race([signal, told, lost]);
	await server.stop({ drainMs: isMeant ? drainMs : 0 });
}

function warnOfShortKey(apiKey: string | undefined, log: Logger): void {
	if (apiKey !== undefined && apiKey.length < 16)
		log.warn("API_KEY has fewer than 16 characters and can be guessed");
}

function warnOfPlainText({ host, tls }: ServeConfig, log: Logger): void {
	if (tls === undefined && !isLoopback(host))
		log.warn(
			{ host },
			"without TLS, whoever is on the way can read and use the keys that clients send: give --tls-cert and --tls-key, or put a proxy with TLS in front",
		);
}

/**
 * Only now that the service listens, so that no key is made without being shown. On a database that others share, it is
 * theirs to decide who gets one.
 */
async function helpToFirstKey(
	store: Store,
	{ database }: ServeConfig,
	url: string,
): Promise<void> {
	if (!isEmbedded(database))
		return print(
			'\nThere is no API key yet. Make one with "petstore keys create --name NAME" on the same database.\n\n',
		);
	await issueKey(
		store,
		{ name: "first key", scope: "read-write", expiresAt: undefined },
		({ key }) => `
Your first API key, shown only this once:

  ${key}

Try it:

  curl -H "Authorization: Bearer ${key}" ${url}/v1/pets

`,
	);
}

/** Deletes Idempotency-Keys past their time, now and then. */
function forgetRegularly(store: Store, log: Logger): () => void {
	const forget = () => {
		store
			.forgetIdempotencyKeys(Date.now() - idempotencyLifetimeMs)
			.catch((err) =>
				log.warn({ err }, "old Idempotency-Keys were not deleted"),
			);
	};
	forget();
	const timer = setInterval(forget, 10 * 60_000);
	return () => clearInterval(timer);
}
