// `petstore serve`: runs the service until the signal to stop.
import { readFileSync } from "node:fs";
import { openFolder } from "../../backups/folder.ts";
import { OperatorError, toReason } from "../../domain/errors.ts";
import { decimal, parsed, toSwitch } from "../../domain/types/scalar.ts";
import {
	optional,
	type ValuesOf,
	withDefault,
	withRule,
} from "../../domain/types/type.ts";
import { type Address, isLoopback } from "../../http/address.ts";
import { toRate } from "../../http/rate-limit.ts";
import { createLog, type Log } from "../../log.ts";
import { openPetstore } from "../../petstore.ts";
import { defaultHistoryMs } from "../../store/clean-up.ts";
import { memory, toBackupFolder } from "../../store/database/database-url.ts";
import { showFirstKey } from "../access.ts";
import { onlyVariable, toCommand, withVariables } from "../command.ts";
import { findUnknownVariables } from "../environment.ts";
import {
	apiKeyOf,
	baseUrl,
	database,
	durationOf,
	hostOf,
	keepOf,
	operatorAddress,
	pathOf,
	portOf,
	stagingUrl,
} from "../flags.ts";
import { orExplain } from "../terminal/print.ts";
import { untilSignal } from "../terminal/signal.ts";

export const flags = withVariables({
	port: portOf("Port to listen on; 0 takes a free one."),
	host: withDefault(hostOf("Address to listen on."), "127.0.0.1"),
	operatorAddress,
	reusePort: toSwitch(
		"Share the port with other copies on this machine; needs --operator-address.",
	),
	database,
	tlsCert: optional(
		pathOf("Certificate for HTTPS, with its chain, in PEM form."),
	),
	tlsKey: optional(pathOf("Private key of the certificate.")),
	rateLimit: optional(
		parsed(
			"Rate limit of each key, like 100/s, 600/m or 5000/h.",
			toRate,
			"must be a whole number from 1 to 999999 and a unit: 100/s, 600/m or 5000/h",
			({ requests, unit }) => `${requests}/${unit}`,
			{ format: "rate" },
		),
	),
	baseUrl,
	stagingUrl,
	drain: withDefault(
		decimal("Seconds to keep listening after the signal to stop.", 0, 9_999),
		0,
	),
	backups: optional(
		pathOf(
			"Folder of the backups; by default backups/ beside the SQLite file.",
			"folder",
		),
	),
	backupEvery: optional(
		withRule(
			durationOf(
				"How often to make a backup in the folder; 0 makes none. Default: 24h.",
			),
			(ms) => ms === 0 || ms >= 10_000,
			"must be 0, or 10s or more",
		),
	),
	backupKeep: withDefault(
		keepOf("How many of the newest backups to keep."),
		14,
	),
	history: withDefault(
		durationOf("How long to keep the history of animals; 0 keeps none."),
		defaultHistoryMs,
	),
	logRequests: toSwitch("Log a line for each request."),
	apiKey: onlyVariable(optional(apiKeyOf(""))),
});

type Flags = ValuesOf<typeof flags>;

export const command = toCommand("serve", {
	flags,
	help: "Set PETSTORE_API_KEY to accept one extra key besides the stored ones.",
	examples: [
		"petstore serve --port 9000",
		"petstore serve --database sqlite:shop.db --log-requests",
		"PETSTORE_API_KEY=a-key-for-the-tests petstore serve --port 0",
	],
	async run(given) {
		// First, so that no signal during the start kills the process.
		const stop = untilSignal();
		return serve(toConfig(given), stop, createLog());
	},
});

type ServeConfig = ReturnType<typeof toConfig>;

function toConfig(flags: Flags) {
	const { database, operatorAddress, baseUrl, stagingUrl } = flags;
	const { host, port, reusePort } = flags;
	if (reusePort && operatorAddress === undefined)
		throw new OperatorError(
			"--reuse-port needs an --operator-address of this copy alone.",
			2,
		);
	const tls = readTls(flags);
	return {
		document: { baseUrl, stagingUrl },
		databaseUrl: database,
		database: database.text,
		address: { host, port, tls, reusePort },
		operatorAddress: operatorAddress && { ...operatorAddress, tls },
		rateLimit: flags.rateLimit,
		drainMs: flags.drain * 1000,
		backups: toBackups(flags),
		historyMs: flags.history,
		log: { requests: flags.logRequests },
		apiKey: flags.apiKey,
	};
}

const backupEveryMs = 24 * 60 * 60 * 1000;

function toBackups({ backups, backupEvery, backupKeep, database }: Flags) {
	const folder = toBackupFolder(backups, database);
	if (folder !== undefined && database.path !== memory)
		return { folder, everyMs: backupEvery ?? backupEveryMs, keep: backupKeep };
	if (backupEvery)
		throw new OperatorError(
			"--backup-every needs --backups FOLDER, and a database that is not in memory.",
			2,
		);
	return undefined;
}

function readTls({ tlsCert, tlsKey }: Flags): Address["tls"] {
	if (tlsCert === undefined && tlsKey === undefined) return undefined;
	if (tlsCert === undefined || tlsKey === undefined)
		throw new OperatorError(
			"TLS needs both a certificate and its key: give --tls-cert and --tls-key, or neither.",
			2,
		);
	const read = (file: string) =>
		orExplain(`${file} cannot be read`, () => readFileSync(file, "utf8"), 1);
	return { cert: read(tlsCert), key: read(tlsKey) };
}

async function serve(
	config: ServeConfig,
	stop: Promise<string>,
	log: Log,
): Promise<void> {
	const { databaseUrl } = config;
	const warning = findUnknownVariables();
	if (warning !== undefined) log.warn(warning);
	await openFolder(config.backups?.folder).list().catch(requireFolder);
	const service = await openPetstore({
		...config,
		log: { ...config.log, to: log },
	});
	const { url, operatorUrl } = service;
	try {
		const hasKey =
			config.apiKey !== undefined ||
			(await service.store.keys.list({ limit: 1 })).length > 0;
		warnOfRisks(config, log);
		log.info("listening", {
			url,
			...(operatorUrl !== url && { operatorUrl }),
			database: databaseUrl.shown,
		});
		if (!hasKey) await showFirstKey(service, databaseUrl);
		log.info("stopping", { signal: await stop });
	} finally {
		await service.stop(config.drainMs);
	}
	log.info("stopped");
}

/** A folder that does not answer may do so later. */
function requireFolder(error: Error & { readonly code?: string }): void {
	if (error.code !== undefined)
		throw new OperatorError(
			`The folder of --backups cannot be read: ${toReason(error)}.`,
		);
}

/** Warns of what makes the service less safe than its operator may think. */
function warnOfRisks(config: ServeConfig, log: Log): void {
	const { apiKey, address, operatorAddress = address } = config;
	if (apiKey !== undefined && apiKey.length < 16)
		log.warn(
			"PETSTORE_API_KEY has fewer than 16 characters and can be guessed",
		);
	const open = [address, operatorAddress].find(({ host }) => !isLoopback(host));
	if (open !== undefined && address.tls === undefined)
		log.warn(
			"without TLS, anyone on the network path can read and use API keys: give --tls-cert and --tls-key, or use a proxy with TLS",
			{ host: open.host },
		);
}
