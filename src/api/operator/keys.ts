// The operations on keys: list, make, rename, revoke.
import {
	fromKeysCursor,
	keySchemas,
	keysCursor,
	keysLimit,
	type keys as keysPart,
	noSuchKey,
	toKeysCursor,
} from "../../contract/operator/keys.ts";
import { readParameter } from "../../contract/parameter.ts";
import { toNewKeyFailure } from "../../contract/retry.ts";
import { generateKey } from "../../domain/api-key.ts";
import {
	isKeyName,
	type KeyScope,
	keyNameRule,
	keyScopes,
} from "../../domain/key-scope.ts";
import type { Members } from "../../domain/members.ts";
import { readTime, timeRule, toTimeText } from "../../domain/time.ts";
import { readMembers } from "../../http/body.ts";
import type { Route } from "../../http/surface.ts";
import type { Key, Keys } from "../../store/keys.ts";
import { toJsonReply, toSecretReply } from "./replies.ts";

export function createKeyHandlers(
	keys: Keys,
): Readonly<Record<keyof typeof keysPart.operations, Route["handle"]>> {
	return {
		async listKeys({ query }) {
			const limit = readParameter(query, keysLimit);
			const cursor = readParameter(query, keysCursor);
			const after = cursor === undefined ? 0 : fromKeysCursor(cursor);
			const found = await keys.list({ after, limit: limit + 1 });
			const listed = found.slice(0, limit);
			const last = listed.at(-1);
			const isMore = found.length > limit && last !== undefined;
			return toJsonReply({
				keys: listed.map(toKeyView),
				...(isMore && { next: toKeysCursor(last.id) }),
			});
		},

		async createKey({ request }) {
			const createdAt = Date.now();
			const members = await readMembers(request, keySchemas.NewKey);
			const { key, hash, prefix } = generateKey();
			const record = {
				name: toName(members),
				scope: toScope(members),
				expiresAt: toExpiry(members, createdAt),
				createdAt,
				hash,
				prefix,
			};
			const made = await keys.add(record).catch((error) => {
				throw toNewKeyFailure(error);
			});
			return toSecretReply({ ...toKeyView(made), key });
		},

		async renameKey({ request, segment }) {
			const id = toKeyId(segment);
			const name = toName(await readMembers(request, keySchemas.KeyName));
			const renamed = await keys.rename(id, name);
			if (renamed === undefined) throw noSuchKey();
			return toJsonReply(toKeyView(renamed));
		},

		async revokeKey({ segment }) {
			const revoked = await keys.revoke(toKeyId(segment), Date.now());
			if (revoked === undefined) throw noSuchKey();
			return {};
		},
	};
}

function toKeyView(key: Key) {
	const { id, name, prefix, scope, createdAt } = key;
	const toText = (time: number | undefined) =>
		time === undefined ? undefined : toTimeText(time);
	return {
		id,
		name,
		prefix,
		scope,
		createdAt: toTimeText(createdAt),
		expiresAt: toText(key.expiresAt),
		revokedAt: toText(key.revokedAt),
		lastUsedAt: toText(key.lastUsedAt),
		deprecatedUseAt: toText(key.deprecatedUseAt),
	};
}

function toKeyId(segment: string): number {
	if (/^[1-9]\d{0,14}$/.test(segment)) return Number(segment);
	throw noSuchKey();
}

export function toName({ get, invalid }: Members): string {
	const name = get("name");
	if (typeof name === "string" && isKeyName(name)) return name;
	throw invalid("name", keyNameRule);
}

function toScope({ has, get, invalid }: Members): KeyScope {
	if (!has("scope")) return "read-write";
	const scope = keyScopes.find((known) => known === get("scope"));
	if (scope !== undefined) return scope;
	throw invalid("scope", `must be one of ${keyScopes.join(", ")}`);
}

function toExpiry(
	{ has, get, invalid }: Members,
	now: number,
): number | undefined {
	if (!has("expiresAt")) return undefined;
	const text = get("expiresAt");
	const time = typeof text === "string" ? readTime(text) : undefined;
	if (time === undefined)
		throw invalid(
			"expiresAt",
			`${timeRule}; leave it out for a key that does not expire`,
		);
	if (time <= now) throw invalid("expiresAt", "must be in the future");
	return time;
}
