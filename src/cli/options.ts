// The flags that several commands have.
import { Option } from "@commander-js/extra-typings";
import { defaultStart } from "../sandbox/demo-animals.ts";
import { readDatabaseUrl } from "../store/database-url.ts";
import { readPlatformPort } from "./environment.ts";
import { toHostAndPort, toPort, wholeNumber } from "./values.ts";

const usualDatabase = "sqlite:data/petstore.db";

export const databaseOption = new Option(
	"--database <url>",
	"sqlite:PATH, sqlite::memory: or postgres://USER:PASSWORD@HOST/DATABASE",
)
	.env("PETSTORE_DATABASE")
	.default(readDatabaseUrl(usualDatabase), JSON.stringify(usualDatabase))
	.argParser(readDatabaseUrl);

export const usualPort = 8080;

/** Hosting platforms set PORT, which counts if there is no PETSTORE_PORT. */
export const portOption = (description: string) =>
	new Option("--port <number>", description)
		.env(readPlatformPort("PETSTORE_PORT"))
		.default(usualPort)
		.argParser(toPort);

export const operatorAddressOption = new Option(
	"--operator-address <host:port>",
	"address for operators: /operator, /console and /metrics answer only there",
)
	.env("PETSTORE_OPERATOR_ADDRESS")
	.argParser(toHostAndPort);

/** The folder of backup and restore. */
export const folderOption = new Option(
	"--folder <folder>",
	"folder of the backups",
)
	.env("PETSTORE_BACKUPS")
	.default("backups");

export const seedOption = new Option(
	"--seed <number>",
	`which demo animals: the same number gives the same ones; ${defaultStart.seed} if not given`,
).argParser(wholeNumber(0, Number.MAX_SAFE_INTEGER));
