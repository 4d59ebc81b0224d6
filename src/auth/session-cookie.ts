// The cookie of a session. If its name has a prefix, browsers send it only over TLS and only to this host.
import { isLocalHost, type Site } from "./site.ts";

export interface SessionCookie {
	readonly name: CookieName;
	/** The token of the session; "" in a cookie to clear. */
	readonly token: string;
}

type CookieName = "__Host-petstore" | "petstore";

export function toCookie(token: string, isTls: boolean): SessionCookie {
	return { name: isTls ? "__Host-petstore" : "petstore", token };
}

export function toSetCookie({ name, token }: SessionCookie): string {
	const secure = name === "petstore" ? "" : " Secure;";
	const cookie = `${name}=${token}; Path=/;${secure} HttpOnly; SameSite=Strict`;
	return token === "" ? `${cookie}; Max-Age=0` : cookie;
}

/** A cookie without the prefix counts only at a local Host. Behind a proxy it never counts: many proxies send their own Host. */
export function readCookie(
	{ headers }: Request,
	{ hasTls, proxyOrigin }: Site,
): SessionCookie | undefined {
	const sent = headers.get("cookie");
	if (sent === null) return undefined;
	if (hasTls || proxyOrigin !== undefined) return find(sent, "__Host-petstore");
	const isLocal = isLocalHost(headers.get("host") ?? "");
	return isLocal ? find(sent, "petstore") : undefined;
}

/**
 * Only a space or a tab may come before a name: another site may set a cookie without the prefix whose name begins with other white space.
 * A name that occurs twice counts as absent, since another site may have set one of them.
 */
function find(sent: string, name: CookieName): SessionCookie | undefined {
	const [pair, second] = sent.matchAll(pairs[name]);
	return pair === undefined || second !== undefined
		? undefined
		: { name, token: pair[1] ?? "" };
}

/** The header is not split into pairs, since anyone can send thousands. */
const pairs: Readonly<Record<CookieName, RegExp>> = {
	"__Host-petstore": /(?:^|;[ \t]*)__Host-petstore=([^;]*)/g,
	petstore: /(?:^|;[ \t]*)petstore=([^;]*)/g,
};
