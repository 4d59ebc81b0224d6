// The request before the cases: checks that a pet store answers at the address and accepts the key.
import { readBody } from "./read-body.ts";
import type { Target } from "./request.ts";

/** Returns a sentence that says what to change, or undefined if the cases can run. `flag` is the flag with the key. */
export async function tryFirstRequest(
	{ baseUrl, send }: Target,
	key: string,
	flag: string,
): Promise<string | undefined> {
	const url = `${baseUrl}/pets`;
	const headers = { Authorization: `Bearer ${key}` };
	try {
		const response = await send(new Request(url, { headers }));
		const text = new TextDecoder().decode(await readBody(response));
		return judge(response, text, baseUrl, flag);
	} catch (error) {
		return toConnectionProblem(error, new URL(baseUrl));
	}
}

function judge(
	{ status, headers }: Response,
	text: string,
	baseUrl: string,
	flag: string,
): string | undefined {
	if (status === 200 && isJson(text)) return undefined;
	if (status === 401 || status === 403)
		return `The key of ${flag} is refused with ${status}: give a valid API key of ${baseUrl}.`;
	const answer = `GET ${baseUrl}/pets answers ${status}`;
	if (status === 404 && !baseUrl.endsWith("/v1"))
		return `${answer}: the address does not end with /v1. Try ${toBase(baseUrl)}.`;
	if (status === 429)
		return `${answer}: the rate limit of this key is used up. Try again later, or raise the limit.`;
	const location = headers.get("Location");
	if (location !== null)
		return `${answer} and redirects to ${location}: give the address that it redirects to.`;
	if (status === 200)
		return `${answer} with a body that is not JSON: there is no pet store at this address.`;
	return `${answer}, not 200: there is no pet store at this address, or it does not work now.`;
}

/** Up to its version, then /v1. */
function toBase(url: string): string {
	return `${url.replace(/\/v\d+(\/.*)?$/, "")}/v1`;
}

function isJson(text: string): boolean {
	try {
		JSON.parse(text);
		return true;
	} catch {
		return false;
	}
}

function toConnectionProblem(
	error: unknown,
	{ origin, hostname }: URL,
): string {
	const message = error instanceof Error ? error.message : String(error);
	switch (codeOf(error)) {
		case "ECONNREFUSED":
			return `Nothing listens at ${origin}: start the service, or correct the address.`;
		case "ENOTFOUND":
			return `There is no host ${hostname}: correct the address.`;
		case "ECONNRESET":
			return `${origin} closes the connection without a reply: correct the address, or use ${toOtherScheme(origin)}.`;
		case "EPROTO":
			return `${origin} does not speak TLS: use ${toOtherScheme(origin)}.`;
		case "ERR_TLS_CERT_ALTNAME_INVALID":
			return `The certificate of ${origin} is for another host: use a host name that it contains.`;
		case "Malformed_HTTP_Response":
			return `${origin} does not speak HTTP: correct the address.`;
		case "RangeError":
			return `${origin} sends no list of animals: ${message}. There is no pet store at this address.`;
		case "TimeoutError":
			return `${origin} does not answer in time: correct the address, or try again.`;
	}
	return isAboutTrust(codeOf(error))
		? `The certificate of ${origin} is not trusted (${message}): give the certificate of its issuer with --cacert FILE.`
		: `There is no reply from ${origin}: ${message}`;
}

function codeOf(error: unknown): string {
	if (!(error instanceof Error)) return "";
	return "code" in error && typeof error.code === "string"
		? error.code
		: error.name;
}

/** OpenSSL has about ten codes for an untrusted certificate, for example DEPTH_ZERO_SELF_SIGNED_CERT. */
function isAboutTrust(code: string): boolean {
	return /CERT|ISSUER|LEAF_SIGNATURE/.test(code);
}

function toOtherScheme(origin: string): string {
	return origin.startsWith("https:") ? "http://" : "https://";
}
