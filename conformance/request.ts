// Builds the request of a case: replaces placeholders and adds the key. Also shows it as a curl command.
import type { CaseRequest } from "./case.ts";

/** The tested pet store. */
export interface Target {
	/** The base address, with its prefix `/v1`. */
	readonly baseUrl: string;
	readonly key: string;
	readonly send: (request: Request) => Promise<Response>;
}

interface Sent {
	readonly url: string;
	readonly method: string;
	readonly headers: Record<string, string>;
	readonly body: string | Uint8Array<ArrayBuffer> | null;
}

/** `fill` replaces placeholders. */
export function toSent(
	{ method = "GET", path, key = "valid", headers = {}, body }: CaseRequest,
	target: Target,
	fill: (text: string) => string,
): Sent {
	const authorization = toAuthorization(key, target.key);
	return {
		url: toUrl(fill(path), target.baseUrl),
		method,
		headers: {
			...(authorization !== undefined && { Authorization: authorization }),
			...Object.fromEntries(
				Object.entries(headers).map(([name, value]) => [name, fill(value)]),
			),
		},
		body: toBytes(body),
	};
}

function toUrl(path: string, baseUrl: string): string {
	if (!path.startsWith("^")) return baseUrl + path;
	return new URL(baseUrl).origin + path.slice(1);
}

function toAuthorization(
	key: NonNullable<CaseRequest["key"]>,
	valid: string,
): string | undefined {
	if (key === "none") return undefined;
	if (key === "valid") return `Bearer ${valid}`;
	return key.authorization.replaceAll("%", () => valid);
}

function toBytes(body: CaseRequest["body"]): Sent["body"] {
	if (body === undefined || typeof body === "string") return body ?? null;
	return new Uint8Array(Buffer.from(body.hex, "hex"));
}

/** With $KEY in place of the key, so that it can be shown to anyone. */
export function toCurl(
	{ method, url, headers, body }: Sent,
	key: CaseRequest["key"] = "valid",
): string {
	const parts = ["curl", "-i", "--path-as-is"];
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
	key: NonNullable<CaseRequest["key"]>,
): string {
	if (name !== "Authorization") return quote(`${name}: ${value}`);
	const shown = toAuthorization(key, "$KEY")?.replace(/["\\`]/g, "\\$&");
	return `"Authorization: ${shown}"`;
}

function toData(body: string | Uint8Array): string {
	if (typeof body === "string")
		return quote(body.length > maxShown ? `${body.slice(0, maxShown)}…` : body);
	const bytes = Buffer.from(body).toString("hex").replace(/../g, "\\x$&");
	return `$'${bytes}'`;
}

/** A longer body would hide the rest of the report. */
const maxShown = 200;

function quote(text: string): string {
	return `'${text.replaceAll("'", "'\\''")}'`;
}
