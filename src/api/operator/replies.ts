// The parts that replies of the operator interface share.
import type { Reply } from "../../http/reply.ts";

/** No CORS headers: browsers send the session cookie by themselves, so pages of other origins must not read or embed these replies. */
export const operatorHeaders = new Headers({
	"Content-Type": "application/json",
	"X-Content-Type-Options": "nosniff",
	"Cross-Origin-Resource-Policy": "same-origin",
});

export function toJsonReply(value: object): Reply {
	return { body: JSON.stringify(value) };
}
