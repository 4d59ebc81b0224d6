// Builds the request of a case: replaces placeholders and adds the key.
import type { CaseRequest } from "./case.ts";

/** The tested pet store. */
export interface Target {
	/** The base address, with its prefix `/v1`. */
	readonly baseUrl: string;
	readonly key: string;
	/** Without it, the cases that need it are skipped. */
	readonly readKey?: string | undefined;
	readonly send: (request: Request) => Promise<Response>;
	/** Flags that curl needs to reach it. */
	readonly curlFlags?: readonly string[] | undefined;
}

export interface Sent {
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
	const authorization = toAuthorization(key, target);
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
	target: Target,
): string | undefined {
	if (key === "none") return undefined;
	if (key === "valid") return `Bearer ${target.key}`;
	if (key === "read") return `Bearer ${target.readKey}`;
	return key.authorization.replaceAll("%", () => target.key);
}

function toBytes(body: CaseRequest["body"]): Sent["body"] {
	if (body === undefined || typeof body === "string") return body ?? null;
	return new Uint8Array(Buffer.from(body.hex, "hex"));
}
