// The environment variables of the command line. Ours start with PETSTORE_. Hosting platforms set PORT.
import { type Command, Option } from "@commander-js/extra-typings";

/** The variable to read for a port: PORT if PETSTORE_PORT is not set. */
export const portVariable =
	isSet("PORT") && !isSet("PETSTORE_PORT") ? "PORT" : "PETSTORE_PORT";

/** Lets variables set the flags added with `option`: PETSTORE_TLS_CERT sets `--tls-cert`. */
export function withVariables(command: Command): Command {
	command.createOption = (flags, description) => {
		const option = new Option(flags, description);
		const name = option.attributeName().replace(/[A-Z]/g, "_$&");
		const variable = prefix + name.toUpperCase();
		return knownVariables.includes(variable) ? option.env(variable) : option;
	};
	return command;
}

/** Makes this process ignore HTTP_PROXY. Bun's fetch has no option for that. */
export function ignoreProxies(): void {
	process.env.NO_PROXY = "*";
}

/** An empty NO_COLOR counts as unset (no-color.org). */
export function wantsColours(): boolean {
	return !isSet("NO_COLOR");
}

/** Removes our empty variables from the environment: they count as unset, but Commander would take them for values. */
export function removeEmptyVariables(): void {
	for (const name in process.env)
		if (/^(PETSTORE_.*|PORT)$/.test(name) && !isSet(name))
			delete process.env[name];
}

/** A warning about unknown PETSTORE_ variables; undefined if all are known. */
export function findUnknownVariables(): string | undefined {
	const unknown = Object.keys(process.env)
		.filter((name) => name.startsWith(prefix) && isSet(name))
		.filter((name) => !knownVariables.includes(name));
	if (unknown.length === 0) return undefined;
	const noun = unknown.length === 1 ? "variable" : "variables";
	return `unknown environment ${noun}: ${unknown.sort().join(", ")}`;
}

const prefix = "PETSTORE_";

/** The variables of all flags, and the variables without a flag. */
export const knownVariables: readonly string[] = `
API_KEY BACKUP_EVERY BACKUP_KEEP BACKUPS BASE_URL DATABASE HISTORY HOST
OPERATOR_ADDRESS PORT RATE_LIMIT
REUSE_PORT STAGING_URL TLS_CERT TLS_KEY`
	.trim()
	.split(/\s/)
	.map((name) => prefix + name);

function isSet(name: string): boolean {
	return (process.env[name] ?? "") !== "";
}
