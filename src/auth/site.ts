// Where browsers reach the service: over TLS, or on this machine. Decides who may sign in, and which requests come from our own pages.
import { Failure } from "../domain/errors.ts";

export interface Site {
	readonly hasTls: boolean;
	/** The origin of `--base-url` if that is https: then a proxy with TLS is in front. */
	readonly proxyOrigin: string | undefined;
}

export function toSite(hasTls: boolean, baseUrl: string | undefined): Site {
	const { protocol, origin } = URL.parse(baseUrl ?? "") ?? {};
	return { hasTls, proxyOrigin: protocol === "https:" ? origin : undefined };
}

/**
 * Returns whether the session cookie is for TLS. Throws `forbidden` for plain HTTP from another machine, since others could read the
 * cookie. A proxy may send any Host, so the Origin counts too. Behind a proxy with TLS every cookie is for TLS.
 */
export function requireSafeTransport(
	request: Request,
	{ hasTls, proxyOrigin }: Site,
): { isTls: boolean } {
	const origin = request.headers.get("origin");
	const isBehindTls = proxyOrigin !== undefined;
	const isLocal =
		hasLocalHost(request) && (origin === null || isLocalOrigin(origin));
	const isTlsPage = origin === null || origin.startsWith("https://");
	if (hasTls || (isBehindTls && (isTlsPage || isLocal))) return { isTls: true };
	if (isLocal) return { isTls: false };
	throw new Failure(
		"forbidden",
		"Signing in over plain HTTP works only at localhost, 127.0.0.1 or [::1]. Elsewhere it needs HTTPS: start the service with --tls-cert and --tls-key, or with --base-url https://… for a proxy with TLS.",
	);
}

/**
 * For changes that are authenticated by a cookie. Throws `forbidden` unless the browser says that one of our own pages sent the request.
 * Go's CrossOriginProtection also accepts requests without both headers; here, programs use keys instead.
 */
export function requireSameOrigin({ headers }: Request, site: Site): void {
	const fetchSite = headers.get("sec-fetch-site");
	const origin = headers.get("origin");
	const isOwn =
		fetchSite === null
			? origin !== null && toOrigins(headers.get("host"), site).includes(origin)
			: fetchSite === "same-origin";
	if (!isOwn)
		throw new Failure(
			"forbidden",
			"A request that signs in or has a session cookie must come from a page of this service. Send Sec-Fetch-Site: same-origin or, without it, an Origin equal to the Host.",
		);
}

/** Throws `forbidden` if the browser says that a page of another site sent the request. */
export function refuseOtherSites({ headers }: Request): void {
	const fetchSite = headers.get("sec-fetch-site");
	if (fetchSite === "cross-site" || fetchSite === "same-site")
		throw new Failure(
			"forbidden",
			"A page of another site may not ask who is signed in: Sec-Fetch-Site, if it is sent, must be same-origin or none.",
		);
}

/** The origins of pages that this Host may serve. */
function toOrigins(
	host: string | null,
	{ hasTls, proxyOrigin }: Site,
): readonly string[] {
	if (host === null) return [];
	if (hasTls) return [`https://${host}`, ...(proxyOrigin ? [proxyOrigin] : [])];
	const isLocal = isLocalHost(host);
	if (proxyOrigin === undefined) return isLocal ? [`http://${host}`] : [];
	// A local Host behind a proxy comes from the proxy, so the page may be of any machine.
	return isLocal ? [proxyOrigin] : [proxyOrigin, `https://${host}`];
}

/** By the header as it was sent: with an odd Host, `request.url` is no URL. */
export function hasLocalHost({ headers }: Request): boolean {
	return isLocalHost(headers.get("host") ?? "");
}

/** Takes a host as it is in a URL, with or without a port. */
export function isLocalHost(host: string): boolean {
	return /^(localhost|127\.0\.0\.1|\[::1\])(:\d{1,5})?$/i.test(host);
}

function isLocalOrigin(origin: string): boolean {
	const [, host] = /^https?:\/\/(.*)$/.exec(origin) ?? [];
	return host !== undefined && isLocalHost(host);
}
