// The flags of `petstore serve`, and the configuration from them and the environment.
import { readFileSync } from "node:fs";
import { Command, Option } from "@commander-js/extra-typings";
import { requireReadable } from "../../../backups/folder.ts";
import { visibleAscii } from "../../../domain/api-key.ts";
import { OperatorError } from "../../../domain/errors.ts";
import type { Address } from "../../../http/address.ts";
import { toRate } from "../../../http/rate-limit.ts";
import { defaultHistoryMs } from "../../../store/clean-up.ts";
import { withVariables } from "../../environment.ts";
import {
	baseUrlOption,
	databaseOption,
	operatorAddressOption,
	portOption,
	refuse,
	stagingUrlOption,
	toDuration,
	toHost,
	toWait,
	wholeNumber,
} from "../../flags.ts";
import { orExplain } from "../../or-explain.ts";

export const serveCommand = withVariables(new Command("serve"))
	.addHelpText(
		"after",
		`
Set PETSTORE_API_KEY to accept one extra key besides the stored ones.

Examples:
  petstore serve --port 9000
  petstore serve --database sqlite:shop.db --log-requests
  PETSTORE_API_KEY=a-key-for-the-tests petstore serve --port 0`,
	)
	.addOption(portOption("port to listen on; 0 takes a free one"))
	.option("--host <address>", "address to listen on", toHost, "127.0.0.1")
	.addOption(operatorAddressOption)
	.option(
		"--reuse-port",
		"share the port with other copies on this machine; needs --operator-address",
	)
	.addOption(databaseOption)
	.option(
		"--tls-cert <file>",
		"certificate for HTTPS, with its chain, in PEM form",
	)
	.option("--tls-key <file>", "private key of the certificate")
	.option(
		"--rate-limit <rate>",
		"rate limit of each key, like 100/s, 600/m or 5000/h",
		(text) =>
			toRate(text) ??
			refuse(
				"a whole number from 1 to 999999 and a unit: 100/s, 600/m or 5000/h",
			),
	)
	.addOption(baseUrlOption)
	.addOption(stagingUrlOption)
	.option(
		"--drain <seconds>",
		"seconds to keep listening after the signal to stop",
		(text) =>
			/^\d{1,4}(\.\d{1,3})?$/.test(text)
				? Number(text)
				: refuse("a number of seconds below 10000"),
		0,
	)
	.option(
		"--backups <folder>",
		"folder with backups that operators can download",
	)
	.option(
		"--backup-every <duration>",
		"make a backup in the folder this often, like 24h",
		toBackupPeriod,
	)
	.option(
		"--backup-keep <number>",
		"then keep only this many of the newest backups of this catalogue in the folder",
		wholeNumber(1, 99_999),
	)
	.addOption(
		new Option(
			"--history <duration>",
			"how long to keep the history of animals; 0 keeps none",
		)
			.env("PETSTORE_HISTORY")
			.default(defaultHistoryMs, '"400d"')
			.argParser((text) => (text === "0" ? 0 : toWait(text))),
	)
	.option("--log-requests", "log a line for each request");

type ServeFlags = ReturnType<typeof serveCommand.opts>;

export type ServeConfig = ReturnType<typeof toServeConfig>;

export function toServeConfig(flags: ServeFlags) {
	const { database, operatorAddress, baseUrl, stagingUrl } = flags;
	if (flags.reusePort && operatorAddress === undefined)
		throw new OperatorError(
			"--reuse-port needs an --operator-address of this copy alone.",
			2,
		);
	requireBackups(flags);
	const tls = toTls(flags);
	if (flags.backups !== undefined) requireReadable(flags.backups);
	return {
		document: { baseUrl, stagingUrl },
		databaseUrl: database,
		database: database.text,
		/** By --database, which other commands then need too. */
		isDatabaseTyped: serveCommand.getOptionValueSource("database") === "cli",
		address: {
			host: flags.host,
			port: flags.port,
			tls,
			reusePort: flags.reusePort,
		},
		operatorAddress: operatorAddress && { ...operatorAddress, tls },
		rateLimit: flags.rateLimit,
		drainMs: flags.drain * 1000,
		backups: flags.backups,
		backupEveryMs: flags.backupEvery,
		backupKeep: flags.backupKeep,
		historyMs: flags.history,
		log: { requests: flags.logRequests },
		apiKey: readApiKey(),
	};
}

function toBackupPeriod(text: string): number {
	const ms = toDuration(text) ?? 0;
	return ms >= 10_000 ? ms : refuse("a duration of 10s or more, like 24h");
}

function requireBackups(flags: ServeFlags): void {
	const { backupEvery, backupKeep, backups, database } = flags;
	if ((backupEvery ?? backupKeep) === undefined) return;
	const flag = backupEvery === undefined ? "--backup-keep" : "--backup-every";
	const missing =
		backups === undefined
			? "--backups FOLDER"
			: "a database that is not in memory";
	if (backups === undefined || database.isInMemory)
		throw new OperatorError(`${flag} needs ${missing}.`, 2);
}

function toTls({ tlsCert, tlsKey }: ServeFlags): Address["tls"] {
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

/** Not a flag, since other users of the machine can read the command lines of its processes. */
function readApiKey(): string | undefined {
	const key = process.env.PETSTORE_API_KEY;
	if (key === undefined || visibleAscii.test(key)) return key;
	throw new OperatorError(
		"PETSTORE_API_KEY must be 1 to 255 visible ASCII characters.",
		2,
	);
}
