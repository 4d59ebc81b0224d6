// The flags of `serve`, and those that several commands have, with the rules for their values.
import { availableParallelism } from "node:os";
import { InvalidArgumentError, Option } from "commander";
import { canSharePort } from "../http/address.ts";
import { type Rate, toRate } from "../http/rate-limit.ts";
import { defaultPoolSize, maxDemoAnimals } from "../limits.ts";
import { logFormats } from "../log/format.ts";
import type { LogOptions } from "../log/log.ts";
import { defaultStart } from "../sandbox/demo-animals.ts";
import { toDuration } from "./duration.ts";
import { toMemoryBytes } from "./memory.ts";

export const databaseOption = new Option(
	"--database <url>",
	"sqlite:PATH, sqlite::memory: or postgres://USER:PASSWORD@HOST/DATABASE",
)
	.env("PETSTORE_DATABASE")
	.default("sqlite:data/petstore.db");

/** The options that change the OpenAPI document. */
export const documentOptions = [
	new Option(
		"--base-url <url>",
		"production address for the OpenAPI document; if it is https, also for signing in",
	)
		.env("PETSTORE_BASE_URL")
		.argParser(toBaseUrl),
	new Option("--staging-url <url>", "staging address for the OpenAPI document")
		.env("PETSTORE_STAGING_URL")
		.argParser(toBaseUrl),
	new Option(
		"--without-deprecated",
		"leave out deprecated operations, to rehearse their removal",
	),
];

export const portOption = new Option(
	"--port <number>",
	"port to listen on; 0 takes a free one",
)
	.env("PETSTORE_PORT")
	.default(8080)
	.argParser(toPort);

/** The options that choose the demo animals of the sandbox. */
export const demoOptions = [
	new Option(
		"--animals <number>",
		`demo animals in the sandbox; ${defaultStart.animals} if not given`,
	).argParser(toAnimals),
	new Option(
		"--seed <number>",
		`which demo animals: the same number gives the same ones; ${defaultStart.seed} if not given`,
	).argParser(toSeed),
];

export const operatorAddressOption = new Option(
	"--operator-address <host:port>",
	"address for operators: /operator, /console and /metrics answer only there",
)
	.env("PETSTORE_OPERATOR_ADDRESS")
	.argParser(toHostAndPort);

export const serveOptions = [
	portOption,
	new Option("--host <address>", "address to listen on")
		.env("PETSTORE_HOST")
		.default("127.0.0.1")
		.argParser(toHost),
	operatorAddressOption,
	databaseOption,
	new Option(
		"--tls-cert <file>",
		"certificate for HTTPS, with its chain, in PEM form",
	).env("PETSTORE_TLS_CERT"),
	new Option("--tls-key <file>", "private key of the certificate").env(
		"PETSTORE_TLS_KEY",
	),
	new Option(
		"--hsts <duration>",
		"tell browsers to use only HTTPS for this time, like 365d; 0s takes it back",
	)
		.env("PETSTORE_HSTS")
		.argParser(toWait),
	new Option("--pool-size <number>", "connections to PostgreSQL at most")
		.env("PETSTORE_POOL_SIZE")
		.default(defaultPoolSize)
		.argParser(toPoolSize),
	new Option(
		"--memory <size>",
		"memory of a process: what is above 120MB maps the SQLite file, for gets in a large catalogue",
	)
		.env("PETSTORE_MEMORY")
		.argParser(toMemoryBytes),
	new Option(
		"--wait-for-database <duration>",
		"how long a start waits for PostgreSQL to accept connections, like 30s or 5m",
	)
		.env("PETSTORE_WAIT_FOR_DATABASE")
		.argParser(toWait),
	new Option(
		"--workers <number>",
		"processes that share the port; auto takes one for each core",
	)
		.env("PETSTORE_WORKERS")
		.default(1)
		.argParser(toWorkers),
	new Option(
		"--rate-limit <rate>",
		"requests that a key may make, like 100/s, 600/m or 5000/h",
	)
		.env("PETSTORE_RATE_LIMIT")
		.argParser(toRateLimit),
	...documentOptions,
	new Option(
		"--demo <number>",
		"put this many demo animals into the database if it has none",
	).argParser(toAnimals),
	new Option(
		"--sandbox",
		"serve a sandbox, as the command sandbox does, with these settings",
	),
	...demoOptions,
	new Option(
		"--drain <seconds>",
		"how long to go on listening after the signal to stop",
	)
		.default(0)
		.argParser(toSeconds),
	new Option(
		"--backups <folder>",
		"folder of the backups that operators can download",
	).env("PETSTORE_BACKUPS"),
	new Option("--log-requests", "log a line for each request"),
	new Option(
		"--log-format <format>",
		"text or json; if not given, text on a terminal and json elsewhere",
	)
		.env("PETSTORE_LOG_FORMAT")
		.choices(logFormats),
];

export interface DatabaseFlags {
	readonly database: string;
}

export interface DocumentFlags {
	readonly baseUrl?: string;
	readonly stagingUrl?: string;
	readonly withoutDeprecated?: true;
}

export interface DemoFlags {
	readonly animals?: number;
	readonly seed?: number;
}

export interface ServeFlags extends DatabaseFlags, DocumentFlags, DemoFlags {
	readonly port: number;
	readonly host: string;
	readonly operatorAddress?: HostAndPort;
	readonly tlsCert?: string;
	readonly tlsKey?: string;
	/** In milliseconds. */
	readonly hsts?: number;
	readonly poolSize: number;
	/** In bytes. */
	readonly memory?: number;
	/** In milliseconds. */
	readonly waitForDatabase?: number;
	readonly workers: number;
	readonly rateLimit?: Rate;
	readonly demo?: number;
	readonly sandbox?: true;
	readonly drain: number;
	readonly backups?: string;
	readonly logRequests?: true;
	readonly logFormat?: LogOptions["format"];
}

export function toPort(text: string): number {
	if (/^\d{1,5}$/.test(text) && Number(text) <= 65_535) return Number(text);
	throw new InvalidArgumentError("It must be a whole number from 0 to 65535.");
}

function toAnimals(text: string): number {
	if (/^\d{1,7}$/.test(text) && Number(text) <= maxDemoAnimals)
		return Number(text);
	throw new InvalidArgumentError(
		`It must be a whole number from 0 to ${maxDemoAnimals}.`,
	);
}

function toSeed(text: string): number {
	if (/^\d{1,16}$/.test(text) && Number.isSafeInteger(Number(text)))
		return Number(text);
	throw new InvalidArgumentError(
		`It must be a whole number from 0 to ${Number.MAX_SAFE_INTEGER}.`,
	);
}

function toPoolSize(text: string): number {
	if (/^[1-9]\d{0,3}$/.test(text)) return Number(text);
	throw new InvalidArgumentError("It must be a whole number from 1 to 9999.");
}

function toWait(text: string): number {
	const duration = toDuration(text);
	if (duration !== undefined) return duration;
	throw new InvalidArgumentError("It must be a duration like 30s, 5m or 1h.");
}

export function toWorkers(text: string): number {
	if (text === "auto") return countWorkers();
	if (/^[1-9]\d{0,2}$/.test(text)) return Number(text);
	throw new InvalidArgumentError(
		"It must be a whole number from 1 to 999, or auto.",
	);
}

/** One for each core, where processes can share a port. */
export function countWorkers(platform: string = process.platform): number {
	return canSharePort(platform) ? availableParallelism() : 1;
}

function toRateLimit(text: string): Rate {
	const rate = toRate(text);
	if (rate !== undefined) return rate;
	throw new InvalidArgumentError(
		"It must be a whole number from 1 to 999999 and a unit: 100/s, 600/m or 5000/h.",
	);
}

export function toHost(text: string): string {
	if (/^[\w.:%-]+$/.test(text)) return text;
	throw new InvalidArgumentError("It must be a host name or an IP address.");
}

export interface HostAndPort {
	readonly host: string;
	readonly port: number;
}

/** `127.0.0.1:9090`, or `[::1]:9090`. */
export function toHostAndPort(text: string): HostAndPort {
	const [, plain, bracketed, port = ""] =
		/^(?:([\w.%-]+)|\[([\w:.%]+)\]):(\d{1,5})$/.exec(text) ?? [];
	const host = plain ?? bracketed;
	if (host !== undefined && Number(port) <= 65_535)
		return { host, port: Number(port) };
	throw new InvalidArgumentError(
		"It must be a host and a port, like 127.0.0.1:9090 or [::1]:9090.",
	);
}

function toSeconds(text: string): number {
	if (/^\d{1,4}(\.\d{1,3})?$/.test(text)) return Number(text);
	throw new InvalidArgumentError("It must be a number of seconds below 10000.");
}

/** Without the version prefix and the final slash, which are added where they belong. */
export function toBaseUrl(text: string): string {
	const url = URL.parse(text);
	if (
		url !== null &&
		/^https?:$/.test(url.protocol) &&
		url.search + url.hash + url.username + url.password === ""
	)
		return url.href.replace(/(\/v1)?\/?$/, "");
	throw new InvalidArgumentError(
		"It must be an http or https address without query, fragment and password.",
	);
}
