// Where browsers reach the service: over TLS, or on this machine. It decides who may sign in, and which requests come from our own pages.
import { Failure } from "../contract/errors.ts";
import { refuseOrigin } from "../contract/operator/session-refusal.ts";
import { isLocalHost, isLocalOrigin } from "./local-host.ts";

/** What is known about it from the settings. */
export interface Site {
	/** Whether the service itself has a certificate. */
	readonly hasTls: boolean;
	/** The origin of `--base-url` if that is https: then a proxy with TLS is in front. */
	readonly proxyOrigin: string | undefined;
}

export function toSite(options: {
	hasTls: boolean;
	baseUrl: string | undefined;
}): Site {
	const { protocol, origin } = URL.parse(options.baseUrl ?? "") ?? {};
	return {
		hasTls: options.hasTls,
		proxyOrigin: protocol === "https:" ? origin : undefined,
	};
}

/**
 * Whether the session of someone who signs in with this request gets a cookie for TLS. Throws `forbidden` for plain HTTP from elsewhere,
 * where anyone on the network path could read the cookie. A proxy may send any Host, so what the browser says about its page counts too.
 */
export function requireSafeTransport(
	{ headers }: Request,
	{ hasTls, proxyOrigin }: Site,
): { isTls: boolean } {
	if (hasTls) return { isTls: true };
	const origin = headers.get("origin");
	const isBehindTls = proxyOrigin !== undefined;
	const isLocalPage = origin === null ? !isBehindTls : isLocalOrigin(origin);
	if (isLocalPage && isLocalHost(headers.get("host") ?? ""))
		return { isTls: false };
	if (isBehindTls && (origin === null || origin.startsWith("https://")))
		return { isTls: true };
	throw new Failure(
		"forbidden",
		"Signing in over plain HTTP works only at localhost, 127.0.0.1 or [::1]. From elsewhere it needs HTTPS: start the service with --tls-cert and --tls-key, or put a proxy with TLS in front and give its address with --base-url https://….",
	);
}

/**
 * For requests that change something and that a browser authenticates by itself, with a cookie. Throws `forbidden` unless the request
 * comes from one of our own pages, as the browser says. This is the check of Go's CrossOriginProtection, and stricter: programs that
 * are no browsers, which send neither header, have keys.
 */
export function requireSameOrigin({ headers }: Request, site: Site): void {
	const fetchSite = headers.get("sec-fetch-site");
	const origin = headers.get("origin");
	const isOwn =
		fetchSite === null
			? origin !== null && toOrigins(headers.get("host"), site).includes(origin)
			: fetchSite === "same-origin";
	if (!isOwn) throw refuseOrigin();
}

/** The origins of pages that this Host may serve. */
function toOrigins(
	host: string | null,
	{ hasTls, proxyOrigin }: Site,
): readonly string[] {
	if (host === null) return [];
	return [
		...(hasTls || proxyOrigin !== undefined ? [`https://${host}`] : []),
		...(proxyOrigin === undefined ? [] : [proxyOrigin]),
		...(!hasTls && isLocalHost(host) ? [`http://${host}`] : []),
	];
}
