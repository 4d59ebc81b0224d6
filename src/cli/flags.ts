// The flags that several commands share, and the parsers of values.
import { InvalidArgumentError, Option } from "@commander-js/extra-typings";
import { OperatorError } from "../domain/errors.ts";
import {
	type FileFormat,
	fileFormats,
	toFileKind,
} from "../domain/file-format.ts";
import { isKeyName, keyNameRule } from "../domain/key-scope.ts";
import { isDay, readTime } from "../domain/time.ts";
import { readDatabaseUrl } from "../store/database-url.ts";
import { portVariable } from "./environment.ts";

const usualDatabase = "sqlite:data/petstore.db";

export const databaseOption = new Option(
	"--database <url>",
	"sqlite:PATH, sqlite::memory: or postgres://USER:PASSWORD@HOST/DATABASE",
)
	.env("PETSTORE_DATABASE")
	.default(readDatabaseUrl(usualDatabase), JSON.stringify(usualDatabase))
	.argParser(readDatabaseUrl);

export const usualPort = 8080;

export const portOption = (description: string) =>
	new Option("--port <number>", description)
		.env(portVariable)
		.default(usualPort)
		.argParser(wholeNumber(0, 65_535));

export const operatorAddressOption = new Option(
	"--operator-address <host:port>",
	"address for operators: /operator, /console and /metrics answer only there",
)
	.env("PETSTORE_OPERATOR_ADDRESS")
	.argParser(toHostAndPort);

export const baseUrlOption = new Option(
	"--base-url <url>",
	"production address in the OpenAPI document; with https, also for signing in",
)
	.env("PETSTORE_BASE_URL")
	.argParser(toBaseUrl);

export const stagingUrlOption = new Option(
	"--staging-url <url>",
	"staging address in the OpenAPI document",
)
	.env("PETSTORE_STAGING_URL")
	.argParser(toBaseUrl);

export const folderOption = new Option(
	"--folder <folder>",
	"folder of the backups",
)
	.env("PETSTORE_BACKUPS")
	.default("backups");

export const formatOption = new Option(
	"--format <format>",
	"ndjson or csv; by default the file name decides",
).choices(fileFormats);

/** The format of a file, by the flag or its name. `-` is stdin or stdout, NDJSON by default. */
export function toKind(
	file: string,
	flag: FileFormat | undefined,
	remedy = "add --format ndjson or --format csv",
) {
	const { format, isGzip } =
		file === "-"
			? { format: "ndjson" as const, isGzip: false }
			: toFileKind(file);
	const chosen = flag ?? format;
	if (chosen === undefined)
		throw new OperatorError(
			`The name ${file} does not show the format (.ndjson, .jsonl or .csv, with or without .gz); ${remedy}.`,
			2,
		);
	return { format: chosen, isGzip };
}

export function refuse(rule: string): never {
	throw new InvalidArgumentError(`It must be ${rule}.`);
}

/** The name of a key, a category or a person. */
export function toName(text: string): string {
	if (isKeyName(text)) return text;
	throw new InvalidArgumentError(`It ${keyNameRule}.`);
}

export function wholeNumber(
	min: number,
	max: number,
	rule = `a whole number from ${min} to ${max}`,
): (text: string) => number {
	return (text) => {
		const number = /^\d{1,16}$/.test(text) ? Number(text) : Number.NaN;
		return number >= min && number <= max ? number : refuse(rule);
	};
}

export function toHost(text: string): string {
	return isHost(text) ? text : refuse("a host name or an IP address");
}

/** An IPv6 address may have a zone, as in `fe80::1%eth0`. No URL may. */
function isHost(text: string): boolean {
	const [, name, address] =
		/^(?:([\w.-]+)|([\w.:]+)(?:%[\w.-]+)?)$/.exec(text) ?? [];
	return URL.canParse(`http://${name ?? `[${address}]`}`);
}

/** `127.0.0.1:9090`, or `[::1]:9090`. */
function toHostAndPort(text: string): { host: string; port: number } {
	const [, plain, bracketed, port = ""] =
		/^(?:([^:]+)|\[(.+)\]):(\d{1,5})$/.exec(text) ?? [];
	const host = plain ?? bracketed;
	return host !== undefined && isHost(host) && Number(port) <= 65_535
		? { host, port: Number(port) }
		: refuse("a host and a port, like 127.0.0.1:9090 or [::1]:9090");
}

/** Drops /v1 and the final slash, which callers add where needed. */
export function toBaseUrl(text: string): string {
	const url = URL.parse(text);
	return isPlainUrl(url)
		? url.href.replace(/(\/v1)?\/?$/, "")
		: refuse("an http or https address without query, fragment and password");
}

export function isPlainUrl(url: URL | null): url is URL {
	return (
		url !== null &&
		/^https?:$/.test(url.protocol) &&
		url.search + url.hash + url.username + url.password === ""
	);
}

/** `30s`, `5m`, `12h` or `90d` in milliseconds; undefined if the text is no duration. */
export function toDuration(text: string): number | undefined {
	const [, count, unit] = /^(\d{1,6})([smhd])$/.exec(text) ?? [];
	return count === undefined || unit === undefined
		? undefined
		: Number(count) * (unitMs[unit] ?? 0);
}

const unitMs: Readonly<Record<string, number>> = {
	s: 1_000,
	m: 60_000,
	h: 3_600_000,
	d: 86_400_000,
};

/** A duration from now, a date like `2027-01-31` at 00:00 UTC, or a time; undefined for other text. */
export function readWhen(text: string, now = Date.now()): number | undefined {
	const duration = toDuration(text);
	if (duration !== undefined) return now + duration;
	return readTime(isDay(text) ? `${text}T00:00:00Z` : text);
}

export function toWait(text: string): number {
	return toDuration(text) ?? refuse("a duration like 30s, 5m or 1h");
}
