// Replies of the operator interface.
import type { Reply } from "../../http/reply.ts";

export function toJsonReply(value: object): Reply {
	return { body: JSON.stringify(value) };
}
