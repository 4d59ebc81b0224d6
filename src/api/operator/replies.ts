// What the replies of the operator interface have in common.
import { httpStatus } from "../../contract/operation.ts";
import type { Reply } from "../../http/reply.ts";

/** Without CORS headers: a browser sends the cookie of a session by itself, so pages of other origins must neither read nor embed these replies. */
export const operatorHeaders = new Headers({
	"Content-Type": "application/json",
	"X-Content-Type-Options": "nosniff",
	"Cross-Origin-Resource-Policy": "same-origin",
});

export const notStored = { "Cache-Control": "no-store" };

/** Members that are undefined are left out. */
export function toJsonReply(headers: Headers, value: object): Reply {
	return { status: httpStatus.ok, headers, body: JSON.stringify(value) };
}

/** For a secret that only this reply has. */
export function toSecretReply(headers: Headers, value: object): Reply {
	const { created: status } = httpStatus;
	return { ...toJsonReply(headers, value), status, own: notStored };
}
