// The parts that replies of the operator interface share.
import { httpStatus } from "../../contract/operation.ts";
import type { Reply } from "../../http/reply.ts";

/** No CORS headers: browsers send the session cookie by themselves, so pages of other origins must not read or embed these replies. */
export const operatorHeaders = new Headers({
	"Content-Type": "application/json",
	"X-Content-Type-Options": "nosniff",
	"Cross-Origin-Resource-Policy": "same-origin",
});

export const notStored = { "Cache-Control": "no-store" };

export function toJsonReply(headers: Headers, value: object): Reply {
	return { status: httpStatus.ok, headers, body: JSON.stringify(value) };
}

/** For a secret that is sent only once. */
export function toSecretReply(headers: Headers, value: object): Reply {
	const { created: status } = httpStatus;
	return { ...toJsonReply(headers, value), status, own: notStored };
}
