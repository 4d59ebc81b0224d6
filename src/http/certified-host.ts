// The host in the address of a service with TLS: one that its certificate is for, since clients refuse the certificate elsewhere.
import type { X509Certificate } from "node:crypto";
import { loadCrypto } from "./load-crypto.ts";

/** The host or its alias, if the certificate is for one of them; otherwise a host of the certificate. If it has none, the host. */
export function toCertifiedHost(
	pem: string,
	host: string,
	alias = host,
): string {
	const certificate = new (loadCrypto().X509Certificate)(pem);
	const candidates = [host, alias, ...listHosts(certificate)];
	return candidates.find((one) => isFor(certificate, one)) ?? host;
}

function isFor(certificate: X509Certificate, host: string): boolean {
	return isIpAddress(host)
		? // Without the zone of an IPv6 address, which a certificate cannot have.
			certificate.checkIP(host.replace(/%.*/, "")) !== undefined
		: certificate.checkHost(host) !== undefined;
}

function isIpAddress(host: string): boolean {
	return /^\d+(\.\d+){3}$|:/.test(host);
}

/** Names come before IP addresses, and those without a wildcard first. A certificate without either may have its name in the subject, which may be empty. */
function listHosts({
	subject = "",
	subjectAltName = "",
}: X509Certificate): string[] {
	const find = (pattern: RegExp, text: string) =>
		[...text.matchAll(pattern)].map(([, host = ""]) => host.toLowerCase());
	return [
		...find(/\bDNS:([\w.-]+)/g, subjectAltName),
		...find(/\bDNS:\*(\.[\w.-]+)/g, subjectAltName).map(toHostBelow),
		...find(/\bIP Address:([\da-f.:]+)/gi, subjectAltName),
		...find(/^CN=([\w.-]+)$/gm, subject),
	];
}

/** A wildcard stands for any name; this one is as good as others. */
function toHostBelow(domain: string): string {
	return `petstore${domain}`;
}
