// The flags that several commands share, and the types of values that only a command line has.

import { visibleAscii } from "../domain/access/secret.ts";
import { OperatorError } from "../domain/errors.ts";
import { fileFormats } from "../domain/pet/file-format.ts";
import { durationRule, readDuration, toDurationText } from "../domain/time.ts";
import {
	formed,
	oneOf,
	parsed,
	toSwitch,
	whole,
} from "../domain/types/scalar.ts";
import { optional, type Type, withDefault } from "../domain/types/type.ts";
import { toUrlHost } from "../http/address.ts";
import {
	type DatabaseUrl,
	readDatabaseUrl,
	toBackupFolder,
} from "../store/database/database-url.ts";
import { orVariable } from "./command.ts";

/** A malformed URL throws, with a sentence that does not repeat it: it may contain a password. */
const databaseUrl = parsed(
	"sqlite:PATH, sqlite::memory: or postgres://USER:PASSWORD@HOST/DATABASE.",
	readDatabaseUrl,
	"must be a database",
	({ text }) => text,
	{ format: "url" },
);

export const database = orVariable(
	withDefault(databaseUrl, readDatabaseUrl("sqlite:data/petstore.db")),
	"DATABASE",
);

export const json = toSwitch("Print the reply as JSON.");
export const quiet = toSwitch("Show no progress.");
export const yes = toSwitch("Do not ask for confirmation.");

const usualPort = 8080;

export function portOf(description: string): Type<number> {
	return orVariable(
		withDefault(whole(description, 0, 65_535), usualPort),
		"PORT",
	);
}

export function hostOf(description: string): Type<string> {
	const rule = "must be a host name or an IP address";
	return formed(description, { test: isHost }, rule, { format: "address" });
}

/** An IPv6 address may have a zone, as in `fe80::1%eth0`. No URL may. */
export function isHost(text: string): boolean {
	const [, name, address] =
		/^(?:([\w.-]+)|([\w.:]+)(?:%[\w.-]+)?)$/.exec(text) ?? [];
	return URL.canParse(`http://${name ?? `[${address}]`}`);
}

export const operatorAddress = optional(
	parsed(
		"Address for operators: /operator, /console and /metrics answer only there.",
		toHostAndPort,
		"must be a host and a port, like 127.0.0.1:9090 or [::1]:9090",
		({ host, port }) => `${toUrlHost(host)}:${port}`,
		{ format: "host:port" },
	),
);

function toHostAndPort(text: string) {
	const [, plain, bracketed, port = ""] =
		/^(?:([^:]+)|\[(.+)\]):(\d{1,5})$/.exec(text) ?? [];
	const host = plain ?? bracketed;
	return host !== undefined && isHost(host) && Number(port) <= 65_535
		? { host, port: Number(port) }
		: undefined;
}

/** Without its `end`: /v1 and the final slash, which callers add where needed. */
export function urlOf(description: string, end = /(\/v1)?\/*$/): Type<string> {
	return parsed(
		description,
		(text) => toPlainUrl(text)?.replace(end, ""),
		"must be an http or https address without query, fragment, user and password",
		String,
		{ format: "url" },
	);
}

function toPlainUrl(text: string): string | undefined {
	const url = URL.parse(text);
	return url !== null &&
		/^https?:$/.test(url.protocol) &&
		url.search + url.hash + url.username + url.password === ""
		? url.href
		: undefined;
}

export const baseUrl = optional(
	urlOf(
		"Production address in the OpenAPI document; with https, also for signing in.",
	),
);

export const stagingUrl = optional(
	urlOf("Staging address in the OpenAPI document."),
);

export function apiKeyOf(description: string): Type<string> {
	const rule = "must be 1 to 255 visible ASCII characters";
	return formed(description, visibleAscii, rule, { format: "key" });
}

/** In milliseconds. */
export function durationOf(description: string): Type<number> {
	const schema = { format: "duration" };
	return parsed(
		description,
		readDuration,
		durationRule,
		toDurationText,
		schema,
	);
}

/** The path of a file or a folder. */
export function pathOf(
	description: string,
	format: "file" | "folder" = "file",
): Type<string> {
	return formed(description, /./, "must be a path", { format });
}

export const usesTls = optional(
	pathOf("Set if the service uses TLS; the file is not read."),
);

export const folder = orVariable(
	optional(
		pathOf(
			"Folder of the backups; by default backups/ beside the SQLite file.",
			"folder",
		),
	),
	"BACKUPS",
);

/** A folder for a command, which needs one. */
export function folderOf(
	given: string | undefined,
	database: DatabaseUrl,
): string {
	const found = toBackupFolder(given, database);
	if (found !== undefined) return found;
	throw new OperatorError(
		"Name a folder for the backups with --folder: this database is no SQLite file.",
		2,
	);
}

export function keepOf(description: string): Type<number> {
	return whole(description, 1, 99_999);
}

export const format = optional(
	oneOf("By default the file name decides.", fileFormats),
);
