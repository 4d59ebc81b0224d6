// `petstore serve`: everything wired together, from the configuration to the last signal.
import type { Command } from "commander";
import type { Logger } from "pino";
import { createApp } from "../app.ts";
import { createAuthenticate } from "../auth.ts";
import {
	type ServeConfig,
	type ServeFlags,
	serveOptions,
	toServeConfig,
} from "../config.ts";
import { idempotencyLifetimeMs } from "../contract.ts";
import { createLog } from "../log.ts";
import { toOpenApi } from "../openapi.ts";
import { listen, type Server } from "../server.ts";
import { isEmbedded, openStore, toPublicUrl } from "../store/open.ts";
import type { Store } from "../store/store.ts";
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
  petstore serve --port 9000
  petstore serve --database sqlite::memory:
  API_KEY=a-key-for-the-tests petstore serve --port 0`,
		)
		.action(() =>
			serve(toServeConfig(command.optsWithGlobals<ServeFlags>()), createLog()),
		);
	for (const option of serveOptions) command.addOption(option);
}

async function serve(config: ServeConfig, log: Logger): Promise<void> {
	const { apiKey, database, poolSize } = config;
	warnOfShortKey(apiKey, log);
	const store = await openStore(database, { create: true, poolSize });
	try {
		const app = createApp({
			store,
			authenticate: createAuthenticate({
				store,
				apiKey,
				onUnrecordedUse: (err) =>
					log.warn({ err }, "the last use of a key was not recorded"),
			}),
			operationIds: config.operationIds,
			openapi: toOpenApi(config),
			log,
			logRequests: config.logRequests,
		});
		await run(listen(app, config), store, config, log);
	} finally {
		await store.close();
	}
	log.info("stopped");
}

async function run(
	server: Server,
	store: Store,
	config: ServeConfig,
	log: Logger,
): Promise<void> {
	const { apiKey, database } = config;
	const signal = firstSignal();
	log.info({ url: server.url, database: toPublicUrl(database) }, "listening");
	const stopForgetting = forgetRegularly(store, log);
	try {
		if (apiKey === undefined && (await store.listKeys()).length === 0)
			await helpToFirstKey(store, config, server.url);
		log.info({ signal: await signal }, "stopping");
	} finally {
		stopForgetting();
		await server.stop(config);
	}
}

function warnOfShortKey(apiKey: string | undefined, log: Logger): void {
	if (apiKey !== undefined && apiKey.length < 16)
		log.warn("API_KEY has fewer than 16 characters and can be guessed");
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
