// The API keys: make, list, change and revoke them.
import { generateKey } from "../domain/access/secret.ts";
import { Failure, restate } from "../domain/errors.ts";
import { maxPageSize, next, pageOf } from "../domain/pet/cursor.ts";
import { closedObject, list, object } from "../domain/types/object.ts";
import { anyText, count, time } from "../domain/types/scalar.ts";
import {
	nullable,
	optional,
	withDefault,
	withExample,
	withRule,
} from "../domain/types/type.ts";
import { requireFound } from "../interface/operation.ts";
import { Key, keyScope } from "../interface/replies.ts";
import type {
	Key as StoredKey,
	Keys as StoredKeys,
} from "../store/access/keys.ts";
import { type OperatorResource, operation } from "./operation.ts";

function future(description: string) {
	return withRule(
		time(`A time in the future. ${description}`),
		(at) => at > Date.now(),
		"must be in the future",
		{ example: "2099-12-31T00:00:00.000Z" },
	);
}

const params = {
	keyId: withExample(count("The id of the key.", 1), 1),
};
const missing = "No key has this id.";

const listKeys = operation({
	method: "GET",
	path: "/keys",
	summary: "List keys",
	description:
		"Includes revoked and expired keys, in the order of their ids. While the reply has a `next`, more keys follow. The keys themselves are stored nowhere.",
	query: pageOf("keys"),
	reply: object("Keys", "API keys, in the order of their ids.", {
		keys: list(Key, maxPageSize),
		next,
	}),
	async handle({ limit, cursor: after }, { store }) {
		const found = await store.keys.list({ after, limit: limit + 1 });
		const keys = found.slice(0, limit);
		const last = found.length > limit ? keys.at(-1) : undefined;
		return { keys, next: last && BigInt(last.id) };
	},
});

const createKey = operation({
	method: "POST",
	path: "/keys",
	summary: "Make a key",
	description: "Only this reply has the key itself.",
	body: closedObject("KeyToMake", "An API key to make.", {
		name: Key.members.name,
		scope: withDefault(keyScope, "read-write"),
		expiresAt: optional(future("Without it the key does not expire.")),
	}),
	reply: object("KeyWithSecret", "A new key. It is not shown again.", {
		...Key.members,
		key: anyText(
			"The key itself, to be sent as the bearer token.",
			"pet_4fZ9b6bLr2QwEo7TnUaKc3XvHyM1sDgJ0Pqk3NcVm",
		),
	}),
	status: 201,
	command: {
		prints: "key",
		creates: true,
		says: () => "This key is not shown again.",
	},
	async handle(given, { store }) {
		return makeKey(store.keys, given);
	},
});

/** The result has the secret. */
export async function makeKey(
	keys: StoredKeys,
	given: Pick<StoredKey, "name" | "scope" | "expiresAt">,
): Promise<StoredKey & { readonly key: string }> {
	const { key, hash, prefix } = generateKey();
	const createdAt = Date.now();
	const made = await keys
		.add({ ...given, hash, prefix, createdAt })
		.catch((error) => {
			// Repeating the request would make a second key.
			throw restate(error, noKeyMade, mayBeMade, { mayRepeat: false });
		});
	return { ...made, key };
}

const noKeyMade =
	"The store cannot answer now. This request made no key; try again.";
const mayBeMade =
	"It is not known whether the key was made. List the keys. If it is there, revoke it: its secret is lost.";

const changeKey = operation({
	method: "PATCH",
	path: "/keys/{keyId}",
	summary: "Change the name or the expiry of a key",
	description:
		"A key that has expired is valid again with a new expiry. A revoked key stays refused, and only its name can be changed.",
	params,
	missing,
	body: withRule(
		closedObject("KeyChange", "What to change of a key.", {
			name: optional(Key.members.name),
			expiresAt: optional(nullable(future("If null, it never expires."))),
		}),
		({ name, expiresAt }) => name !== undefined || expiresAt !== undefined,
		"must have a name, an expiresAt or both",
		{ minProperties: 1 },
	),
	reply: Key,
	errors: ["conflict"],
	async handle({ keyId, ...change }, { store }) {
		const changed = await store.keys.change(keyId, change);
		if (changed === "revoked")
			throw new Failure(
				"conflict",
				"The key is revoked, so only its name can be changed.",
			);
		return requireFound(changed, missing);
	},
});

const revokeKey = operation({
	method: "DELETE",
	path: "/keys/{keyId}",
	summary: "Revoke a key",
	description:
		"Every process refuses the key, and the sessions that it made, within a second. A key can revoke itself. Revoking a key again changes nothing. Keys are deleted a year after they were revoked or expired.",
	params,
	missing,
	async question({ keyId }, { store }) {
		const [key] = await store.keys.list({
			after: BigInt(keyId) - 1n,
			limit: 1,
		});
		const found = key?.id === keyId ? key : undefined;
		return `Revoke key ${keyId} “${requireFound(found, missing).name}”?`;
	},
	async handle({ keyId }, { store }) {
		requireFound(await store.keys.revoke(keyId, Date.now()), missing);
	},
});

export const keys: OperatorResource = {
	tag: "keys",
	description: "The API keys: make, list, change and revoke them.",
	operations: { listKeys, createKey, changeKey, revokeKey },
};
