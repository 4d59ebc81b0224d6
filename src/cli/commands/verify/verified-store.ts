// The pet store to verify, from the address and the flags.
import { X509Certificate } from "node:crypto";
import { readFileSync } from "node:fs";
import type { Target } from "../../../../conformance/request.ts";
import { OperatorError } from "../../../domain/errors.ts";
import { isLoopback } from "../../../http/server/address.ts";
import { verifyTimeoutMs } from "../../../limits.ts";
import { ignoreProxies } from "../../environment.ts";
import { isPlainUrl } from "../../flags.ts";
import { orExplain } from "../../or-explain.ts";

export function toTarget(
	url: string,
	{ key, readKey, cacert }: TargetFlags,
): Target {
	const ca = cacert === undefined ? undefined : readCertificate(cacert);
	const baseUrl = toBaseUrl(url);
	if (isLoopback(new URL(baseUrl).hostname)) ignoreProxies();
	return {
		baseUrl,
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

function toBaseUrl(text: string): string {
	if (!isPlainUrl(URL.parse(text)))
		throw new OperatorError(
			"The address must be an http or https URL without query, fragment, user and password.",
			2,
		);
	return text.replace(/\/+$/, "");
}

/** Bun would report a file without a certificate only as a failed connection. */
function readCertificate(file: string): string {
	const problem = `--cacert ${file} cannot be read`;
	const text = orExplain(problem, () => readFileSync(file, "utf8"), 2);
	try {
		new X509Certificate(text);
		return text;
	} catch {
		throw new OperatorError(
			`--cacert ${file} is not a certificate in PEM form.`,
			2,
		);
	}
}
