// The host in the address of a service with TLS: one that its certificate is for, since clients refuse the certificate elsewhere.
import { X509Certificate } from "node:crypto";

/** The first of the hosts that the certificate is for; otherwise a host of the certificate; if it has none, the first one given. */
export function toCertifiedHost(pem: string, hosts: readonly string[]): string {
	const certificate = new X509Certificate(pem);
	const candidates = [...hosts, ...listHosts(certificate)];
	return (
		candidates.find((host) => isFor(certificate, host)) ??
		hosts[0] ??
		"localhost"
	);
}

function isFor(certificate: X509Certificate, host: string): boolean {
	return isIpAddress(host)
		? certificate.checkIP(host) !== undefined
		: certificate.checkHost(host) !== undefined;
}

function isIpAddress(host: string): boolean {
	return /^\d+(\.\d+){3}$|:/.test(host);
}

/** Names come before IP addresses, and those without a wildcard first. A certificate without either may have its name in the subject. */
function listHosts({
	subject,
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
