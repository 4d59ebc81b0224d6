// The flags of `petstore console`.
import { Option } from "commander";
import {
	type DatabaseFlags,
	databaseOption,
	type HostAndPort,
	operatorAddressOption,
	toBaseUrl,
	toPort,
} from "../options.ts";

export const consolePort = new Option(
	"--port <number>",
	"port of the service on this machine",
)
	.env("PETSTORE_PORT")
	.default(8080)
	.argParser(toPort);

export const consoleOptions = [
	new Option(
		"--url <url>",
		"address of the running service; this machine if not given",
	)
		.env("PETSTORE_BASE_URL")
		.argParser(toBaseUrl),
	consolePort,
	operatorAddressOption,
	new Option("--no-open", "print the link, and open no browser"),
	new Option(
		"--end-sessions",
		"end all sessions of the console and all links that were not used, and make no link",
	),
	databaseOption,
];

export interface ConsoleFlags extends DatabaseFlags {
	readonly url?: string;
	readonly port: number;
	readonly operatorAddress?: HostAndPort;
	readonly open: boolean;
	readonly endSessions?: true;
}
