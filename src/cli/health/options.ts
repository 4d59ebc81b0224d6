// The flags of `petstore health`. Those of `serve` have the same variables here, so that a container needs no flags for its check.
import { Option } from "commander";
import { toBaseUrl, toHost, toPort } from "../options.ts";

export const healthPort = new Option(
	"--port <number>",
	"port that the service listens on",
)
	.env("PETSTORE_PORT")
	.default(8080)
	.argParser(toPort);

export const healthOptions = [
	new Option("--ready", "ask /readyz, whether the service can serve"),
	healthPort,
	new Option("--host <address>", "address that the service listens on")
		.env("PETSTORE_HOST")
		.default("127.0.0.1")
		.argParser(toHost),
	new Option(
		"--tls-cert <file>",
		"given if the service uses TLS; the file is not read",
	).env("PETSTORE_TLS_CERT"),
	new Option(
		"--url <url>",
		"address of the service, in place of port, host and TLS",
	).argParser(toBaseUrl),
];

export interface HealthFlags {
	readonly ready?: true;
	readonly port: number;
	readonly host: string;
	readonly tlsCert?: string;
	readonly url?: string;
}
