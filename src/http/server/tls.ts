// Reads the certificate and the private key for TLS, and finds the host that a certificate is for.
import type { KeyObject, X509Certificate } from "node:crypto";
import { readFileSync } from "node:fs";
import { OperatorError, toReason } from "../../domain/errors.ts";

export interface Tls {
	/** In PEM form, as is the key. */
	readonly cert: string;
	readonly key: string;
	/** Set for a self-signed certificate: a client needs this file to trust it. */
	readonly selfSignedFile?: string;
	/** Reads the files again, for a renewed certificate. */
	readonly readAgain: () => Tls;
}

/** Throws an OperatorError that says what is wrong with the files. */
export function readTls(certFile: string, keyFile: string): Tls {
	const cert = readText(certFile, "certificate");
	const key = readText(keyFile, "key");
	const certificate = toCertificate(cert, certFile);
	if (!certificate.checkPrivateKey(toPrivateKey(key, keyFile)))
		throw new OperatorError(
			`The TLS key ${keyFile} does not belong to the certificate ${certFile}.`,
		);
	const isSelfSigned = certificate.issuer === certificate.subject;
	return {
		cert,
		key,
		...(isSelfSigned && { selfSignedFile: certFile }),
		readAgain: () => readTls(certFile, keyFile),
	};
}

/** For a program that only calls the service. Throws an OperatorError that says what is wrong with the file. */
export function readCertificate(file: string): Pick<Tls, "cert"> {
	const cert = readText(file, "certificate");
	toCertificate(cert, file);
	return { cert };
}

function readText(file: string, what: string): string {
	try {
		return readFileSync(file, "utf8");
	} catch (error) {
		throw new OperatorError(
			`The TLS ${what} ${file} cannot be read: ${toReason(error)}.`,
		);
	}
}

/** The first certificate of the chain is the service's own. */
function toCertificate(text: string, file: string): X509Certificate {
	const blocks = text.match(
		// The last one may lack its end, if the file was not written completely.
		/-----BEGIN CERTIFICATE-----.*?(?:-----END CERTIFICATE-----|$)/gs,
	);
	try {
		const [own] = (blocks ?? []).map(parseCertificate);
		if (own !== undefined) return own;
	} catch {}
	throw new OperatorError(
		`The TLS certificate ${file} is not a PEM certificate or a chain of them.`,
	);
}

function toPrivateKey(text: string, file: string): KeyObject {
	try {
		return loadCrypto().createPrivateKey(text);
	} catch {
		throw new OperatorError(
			`The TLS key ${file} is not a PEM private key without a passphrase.`,
		);
	}
}

function parseCertificate(pem: string): X509Certificate {
	return new (loadCrypto().X509Certificate)(pem);
}

function loadCrypto(): typeof import("node:crypto") {
	return process.getBuiltinModule("node:crypto");
}

/** The host or its alias if the certificate is for it; else a host of the certificate; else the host. */
export function toCertifiedHost(
	pem: string,
	host: string,
	alias = host,
): string {
	const certificate = parseCertificate(pem);
	const candidates = [host, alias, ...listHosts(certificate)];
	return candidates.find((one) => isFor(certificate, one)) ?? host;
}

function isFor(certificate: X509Certificate, host: string): boolean {
	const isIpAddress = /^\d+(\.\d+){3}$|:/.test(host);
	return isIpAddress
		? // Without the zone of an IPv6 address, which a certificate cannot have.
			certificate.checkIP(host.replace(/%.*/, "")) !== undefined
		: certificate.checkHost(host) !== undefined;
}

/** Exact names first, then wildcards, IP addresses, and the name in the subject, which may be empty. */
function listHosts({
	subject = "",
	subjectAltName = "",
}: X509Certificate): string[] {
	const find = (pattern: RegExp, text: string) =>
		[...text.matchAll(pattern)].map(([, host = ""]) => host.toLowerCase());
	// Any name fits a wildcard.
	const below = find(/\bDNS:\*(\.[\w.-]+)/g, subjectAltName);
	return [
		...find(/\bDNS:([\w.-]+)/g, subjectAltName),
		...below.map((domain) => `petstore${domain}`),
		...find(/\bIP Address:([\da-f.:]+)/gi, subjectAltName),
		...find(/^CN=([\w.-]+)$/gm, subject),
	];
}
