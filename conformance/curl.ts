// A request as a curl command line, with $KEY and $READ_KEY instead of the keys, so that it can be shown to anyone.
import type { CaseRequest } from "./case.ts";
import type { Sent } from "./request.ts";

/** `flags` go with every request to the server, like `--cacert`. */
export function toCurl(
	{ method, url, headers, body }: Sent,
	key: CaseRequest["key"],
	flags: readonly string[],
): string {
	const parts = ["curl", "-i", "--path-as-is", ...flags.map(quoteIfNeeded)];
	if (method === "HEAD") parts.push("-I");
	else if (method !== "GET") parts.push("-X", method);
	for (const [name, value] of Object.entries(headers))
		parts.push("-H", toHeader(name, value, key));
	if (body !== null) parts.push("--data-binary", toData(body));
	return [...parts, quote(url)].join(" ");
}

/** Only Authorization is in double quotes: the shell replaces the variable of the key in it. */
function toHeader(
	name: string,
	value: string,
	key: CaseRequest["key"],
): string {
	if (name !== "Authorization") return quote(`${name}: ${value}`);
	const shown = toAuthorizationWithVariable(key).replace(/["\\`]/g, "\\$&");
	return `"Authorization: ${shown}"`;
}

function toAuthorizationWithVariable(key: CaseRequest["key"]): string {
	if (typeof key === "object")
		return key.authorization.replaceAll("%", () => "$KEY");
	return key === "read" ? "Bearer $READ_KEY" : "Bearer $KEY";
}

function toData(body: string | Uint8Array): string {
	if (typeof body === "string")
		return quote(body.length > maxShown ? `${body.slice(0, maxShown)}…` : body);
	const bytes = Buffer.from(body).toString("hex").replace(/../g, "\\x$&");
	return `$'${bytes}'`;
}

/** A longer body would hide the rest of the report. */
const maxShown = 200;

function quoteIfNeeded(text: string): string {
	return /^[\w./:=-]+$/.test(text) ? text : quote(text);
}

function quote(text: string): string {
	return `'${text.replaceAll("'", "'\\''")}'`;
}
