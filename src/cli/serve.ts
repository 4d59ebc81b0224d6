// `petstore serve`: runs the service until the signal to stop, in this process or in several workers.
import type { Command } from "commander";
import { isLoopback } from "../http/address.ts";
import { createLog, type Log } from "../log/log.ts";
import { isTerminal } from "../log/terminal.ts";
import { openPetstore } from "../petstore.ts";
import { quote, toTyped } from "../program.ts";
import { type DemoStart, toDemoParts } from "../sandbox/demo-animals.ts";
import {
	findPlainHost,
	isEmbedded,
	isInMemory,
	isMissing,
	toPublicUrl,
	waitForDatabase,
} from "../store/open.ts";
import type { Store } from "../store/store.ts";
import { openMetricsChannel } from "../workers/metrics-channel.ts";
import { openWorkers } from "../workers/supervisor.ts";
import { work } from "../workers/worker.ts";
import { type ServeConfig, toServeConfig } from "./config.ts";
import { linkMinutes, makeConsoleLink } from "./console/link.ts";
import { toCurlExample } from "./curl.ts";
import { findUnknownVariables, readPlatformPort } from "./environment.ts";
import { issueKey } from "./issue-key.ts";
import { portOption, type ServeFlags, serveOptions } from "./options.ts";
import { print } from "./print.ts";
import { reloadAtSignals, type Service } from "./reload.ts";
import { runSandbox } from "./sandbox/run.ts";
import { handleSignals, type Signals } from "./signal.ts";

export function addServe(program: Command): void {
	const command = program
		.command("serve")
		.description("run the service")
		.addHelpText(
			"after",
			`
The environment variable PETSTORE_API_KEY names a key that is valid beside the
stored ones.

Examples:
  petstore serve --port 9000 --workers auto
  petstore serve --database sqlite:shop.db --demo 1000
  PETSTORE_API_KEY=a-key-for-the-tests petstore serve --port 0`,
		)
		.action(() => {
			const signals = handleSignals();
			const config = toServeConfig(
				command.optsWithGlobals<ServeFlags>(),
				command.getOptionValueSourceWithGlobals("database"),
			);
			return serve(config, signals, createLog(config.logOptions));
		});
	readPlatformPort(portOption);
	for (const option of serveOptions) command.addOption(option);
}

async function serve(
	config: ServeConfig,
	signals: Signals,
	log: Log,
): Promise<void> {
	const { drainMs, worker, workers: count, demo } = config;
	if (worker === undefined) warnOfVariables(log);
	const stopped = await Promise.race([waitIfAsked(config, log), signals.stop]);
	const logged = { log: { ...config.log, to: log } };
	const prepare = demo && ((store: Store) => addDemoAnimals(store, demo, log));
	if (worker === undefined) tellIfNew(config, log);
	if (stopped !== undefined) log.info({ signal: stopped }, "stopping");
	else if (config.sandbox !== undefined)
		return runSandbox(
			{ ...config, sandbox: config.sandbox },
			signals.stop,
			log,
		);
	else if (worker !== undefined) {
		const metrics = openMetricsChannel();
		const { collect: collectMetrics } = metrics;
		const processes = { ...config.processes, collectMetrics };
		const petstore = await openPetstore({ ...config, ...logged, processes });
		await work(petstore, signals.stop, drainMs, metrics);
	} else if (count === 1)
		await run(
			await openPetstore({ ...config, ...logged, prepare }),
			config,
			signals,
			log,
		);
	else
		await run(
			await openWorkers({ ...config, count, log, prepare }),
			config,
			signals,
			log,
		);
	log.info("stopped");
}

/** Whoever has mistyped the path sees it at once. */
function tellIfNew({ database }: ServeConfig, log: Log): void {
	if (isMissing(database) && isTerminal(2))
		log.warn(
			`there is no database at ${database.slice("sqlite:".length)} yet: making a new, empty one`,
		);
}

async function waitIfAsked(
	{ database, waitForDatabaseMs: ms }: ServeConfig,
	log: Log,
): Promise<undefined> {
	await waitForDatabase(database, ms, (reason) =>
		log.info(
			{ database: toPublicUrl(database), reason, ms },
			"waiting for the database",
		),
	);
}

async function run(
	service: Service,
	config: ServeConfig,
	signals: Signals,
	log: Log,
): Promise<void> {
	const { apiKey, drainMs, workers } = config;
	const { url, operatorUrl, store } = service;
	reloadAtSignals(service, signals, config.address.tls, log);
	try {
		warnOfShortKey(config, log);
		warnOfPlainText(config, log);
		await warnOfPlainDatabase(config, log);
		const database = toPublicUrl(config.database);
		log.info(
			{
				url,
				...(operatorUrl !== url && { operatorUrl }),
				database,
				...(workers > 1 && { workers }),
			},
			"listening",
		);
		if (
			apiKey === undefined &&
			(await store.keys.list({ after: 0, limit: 1 })).length === 0
		)
			await showFirstKey(service, config);
		log.info({ signal: await signals.stop }, "stopping");
	} finally {
		await service.stop({ drainMs });
	}
}

async function addDemoAnimals(
	{ archive }: Store,
	demo: DemoStart,
	log: Log,
): Promise<void> {
	if (await archive.writeFirstPets(toDemoParts(demo)))
		log.info({ animals: demo.animals }, "demo animals were added");
	else log.info("no demo animals were added: the database has or had animals");
}

function warnOfVariables(log: Log): void {
	const warning = findUnknownVariables();
	if (warning !== undefined) log.warn(warning);
}

function warnOfShortKey({ apiKey }: ServeConfig, log: Log): void {
	if (apiKey !== undefined && apiKey.length < 16)
		log.warn(
			"PETSTORE_API_KEY has fewer than 16 characters and can be guessed",
		);
}

function warnOfPlainText(config: ServeConfig, log: Log): void {
	const { address, operatorAddress = address } = config;
	const open = [address, operatorAddress].find(({ host }) => !isLoopback(host));
	if (open !== undefined && address.tls === undefined)
		log.warn(
			{ host: open.host },
			"without TLS, anyone on the network path can read and use the keys that clients send: give --tls-cert and --tls-key, or put a proxy with TLS in front",
		);
}

async function warnOfPlainDatabase(
	{ database }: ServeConfig,
	log: Log,
): Promise<void> {
	const host = await findPlainHost(database);
	if (host !== undefined && !isLoopback(host))
		log.warn(
			{ host },
			"without TLS, anyone on the network path can read and change what the service and PostgreSQL send: add sslmode=verify-full or sslmode=require to the URL of the database",
		);
}

/**
 * Only now that the service listens, so that no key is made without being shown. A shared database gets none: its administrators create
 * keys themselves.
 */
async function showFirstKey(
	{ url, operatorUrl, store }: Service,
	config: ServeConfig,
): Promise<void> {
	if (!isEmbedded(config.database))
		return print(
			`\nThere is no API key yet. Make one with "${toTyped("keys create --name NAME")}" on the same database.\n\n`,
		);
	const toConsole = await showConsole(store, operatorUrl, config);
	await issueKey(
		store.keys,
		{ name: "first key", scope: "read-write", expiresAt: undefined },
		({ key }) => `
Your first API key (it lists and adds animals), shown only this once:

  ${key}

Try it:

${toCurlExample(url, key, config.address)}
${toConsole}
`,
	);
}

/** The link is only for a terminal: elsewhere stdout may be a log that others can read. It is indented only where it fits into the line. */
async function showConsole(
	{ sessions }: Store,
	url: string,
	config: ServeConfig,
): Promise<string> {
	const later = isInMemory(config.database)
		? ""
		: `For the console at /console, "${toConsoleCommand(config, url)}" makes a link that signs in.\n`;
	if (!isTerminal(1)) return later;
	const link = await makeConsoleLink(sessions, url);
	const indent = link.length + 2 <= process.stdout.columns ? "  " : "";
	return `Open the console, within ${linkMinutes} minutes:

${indent}${link}
${later && `\nLater, "${toConsoleCommand(config, url)}" makes another link.\n`}`;
}

/** With the flags that it needs to find this service: those of a command are not those of the service. */
function toConsoleCommand(
	{ database, isDatabaseTyped }: ServeConfig,
	url: string,
): string {
	const usualUrl = `http://127.0.0.1:${portOption.defaultValue}`;
	const flags = [
		...(isDatabaseTyped ? ["--database", database] : []),
		...(url === usualUrl ? [] : ["--url", url]),
	];
	const words = flags.map((word) => quote(word, process.platform));
	return toTyped(["console", ...words].join(" "));
}
