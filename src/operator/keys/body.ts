// Reads the bodies of the operations on keys.

import { isKeyName, keyNameRule } from "../../contract/key-name.ts";
import { type KeyScope, keyScopes } from "../../contract/key-scope.ts";
import { type Members, readWhole } from "../../contract/members.ts";
import {
	keySchemas,
	maxOverlapSeconds,
} from "../../contract/operator/keys/schemas.ts";
import { readTime, timeRule } from "../../contract/time.ts";
import { readMembers } from "../../http/body.ts";
import type { NewKey } from "../../store/keys.ts";

export async function readNewKey(
	request: Request,
	now: number,
): Promise<Pick<NewKey, "name" | "scope" | "expiresAt">> {
	const members = await readMembers(request, keySchemas.NewKey);
	return {
		name: toName(members),
		scope: toScope(members),
		expiresAt: toExpiry(members, now),
	};
}

export async function readName(request: Request): Promise<string> {
	return toName(await readMembers(request, keySchemas.KeyName));
}

/** In milliseconds. */
export async function readOverlap(request: Request): Promise<number> {
	const members = await readMembers(request, keySchemas.Rotation);
	return readWhole(members, "overlapSeconds", 0, maxOverlapSeconds) * 1_000;
}

function toName({ get, invalid }: Members): string {
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
