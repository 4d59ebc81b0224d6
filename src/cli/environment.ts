// The environment variables of the command line. Ours start with PETSTORE_. Hosting platforms set PORT.

const prefix = "PETSTORE_";

/** Without the prefix. */
const variables = `API_KEY BACKUP_EVERY BACKUP_KEEP BACKUPS BASE_URL DATABASE
HISTORY HOST OPERATOR_ADDRESS PORT RATE_LIMIT REUSE_PORT STAGING_URL TLS_CERT
TLS_KEY`.split(/\s/);

/** Of the flag with this name, if it has one: `TLS_CERT` of tlsCert. */
export function findVariable(flag: string): string | undefined {
	const name = flag.replace(/[A-Z]/g, "_$&").toUpperCase();
	return variables.find((variable) => variable === name);
}

/** With the name under which it is set. An empty variable counts as unset. */
export function readVariable(variable: string) {
	const names = [prefix + variable, ...(variable === "PORT" ? ["PORT"] : [])];
	const name = names.find(isSet);
	return name === undefined
		? undefined
		: { name, text: process.env[name] ?? "" };
}

/** A warning about unknown PETSTORE_ variables; undefined if all are known. */
export function findUnknownVariables(): string | undefined {
	const known = new Set(variables.map((name) => prefix + name));
	const unknown = Object.keys(process.env)
		.filter((name) => name.startsWith(prefix) && isSet(name))
		.filter((name) => !known.has(name));
	if (unknown.length === 0) return undefined;
	const noun = unknown.length === 1 ? "variable" : "variables";
	return `unknown environment ${noun}: ${unknown.sort().join(", ")}`;
}

/** Makes this process ignore HTTP_PROXY. Bun's fetch has no option for that. */
export function ignoreProxies(): void {
	process.env.NO_PROXY = "*";
}

function isSet(name: string): boolean {
	return (process.env[name] ?? "") !== "";
}
