// A key as the operator interface shows it: absent members in place of null, times as text.
import { noSuchKey } from "../../contract/operator/keys/operations.ts";
import { toTimeText } from "../../contract/time.ts";
import type { Key } from "../../store/keys.ts";

export function toKeyView(key: Key) {
	const { id, name, prefix, scope, createdAt } = key;
	return {
		id,
		name,
		prefix,
		scope,
		createdAt: toTimeText(createdAt),
		...toTimeMember("expiresAt", key.expiresAt),
		...toTimeMember("revokedAt", key.revokedAt),
		...toTimeMember("lastUsedAt", key.lastUsedAt),
	};
}

/** The id in a path; a text that is none belongs to no key. */
export function toKeyId(segment: string): number {
	if (/^[1-9]\d{0,14}$/.test(segment)) return Number(segment);
	throw noSuchKey();
}

function toTimeMember(name: string, time: number | undefined) {
	return time === undefined ? {} : { [name]: toTimeText(time) };
}
