// The X-Request-Id of a request, under which its reply and the log name it.
import { maxRequestIdLength } from "../contract/parameter.ts";

/** Undefined if there is none, or one that is too long or not of visible ASCII characters. Two header lines arrive joined by a space. */
export function readRequestId({ headers }: Request): string | undefined {
	const id = headers.get("x-request-id");
	if (id === null || id.length > maxRequestIdLength) return undefined;
	return /^[!-~]+$/.test(id) ? id : undefined;
}
