// The pet store that `petstore verify` is to test, from the address and the flags.
import { X509Certificate } from "node:crypto";
import { readFileSync } from "node:fs";
import type { Target } from "../../../../conformance/request.ts";
import { OperatorError, toReason } from "../../../domain/errors.ts";
import { verifyTimeoutMs } from "../../../limits.ts";

export function toTarget(
	url: string,
	{ key, readKey, cacert }: TargetFlags,
): Target {
	const ca = cacert === undefined ? undefined : readCertificate(cacert);
	return {
		baseUrl: toBaseUrl(url),
		key,
		readKey,
		curlFlags: cacert === undefined ? [] : ["--cacert", cacert],
		send: (request) =>
			fetch(request, {
				redirect: "manual",
				signal: AbortSignal.timeout(verifyTimeoutMs),
				...(ca !== undefined && { tls: { ca } }),
			}),
	};
}

interface TargetFlags {
	readonly key: string;
	readonly readKey?: string;
	readonly cacert?: string;
}

/** Without the final slash. */
function toBaseUrl(text: string): string {
	const url = URL.parse(text);
	if (
		url === null ||
		!/^https?:$/.test(url.protocol) ||
		url.search + url.hash + url.username + url.password !== ""
	)
		throw new OperatorError(
			"The address must be an http or https URL without query, fragment, user and password.",
			2,
		);
	return text.replace(/\/+$/, "");
}

/** Bun would report a file without a certificate only as a connection that failed. */
function readCertificate(file: string): string {
	const problem = (what: string) =>
		new OperatorError(`--cacert ${file} ${what}.`, 2);
	let text: string;
	try {
		text = readFileSync(file, "utf8");
	} catch (error) {
		throw problem(`cannot be read: ${toReason(error)}`);
	}
	try {
		new X509Certificate(text);
		return text;
	} catch {
		throw problem("is not a certificate in PEM form");
	}
}
