// The API keys in the operator interface: their operations and schemas, and why a request about one is refused.
import { failing } from "../../domain/errors.ts";
import {
	keyNameForm,
	keyNameRule,
	keyScopes,
	scopeMeanings,
} from "../../domain/key-scope.ts";
import { httpStatus, operationsOf, type Part } from "../operation.ts";
import { invalid, limitOf, text as textParameter } from "../parameter.ts";
import {
	closedObject,
	int64,
	list,
	maxPageSize,
	object,
	ref,
	text,
	time,
	whole64,
} from "../schemas.ts";

export const keysLimit = limitOf("Maximum number of keys returned.");

export const keysCursor = textParameter({
	name: "cursor",
	description: "Where to continue: the `next` of an earlier reply.",
	pattern: "^[A-Za-z0-9_-]+$",
});

export function toKeysCursor(lastId: number): string {
	return Buffer.from(`key ${lastId}`).toString("base64url");
}

/** The last id of the previous page. Throws for a text that `toKeysCursor` does not return. */
export function fromKeysCursor(cursor: string): number {
	const [, digits] =
		/^key (\d{1,15})$/.exec(Buffer.from(cursor, "base64url").toString()) ?? [];
	const lastId = Number(digits);
	if (digits !== undefined && toKeysCursor(lastId) === cursor) return lastId;
	throw invalid("cursor", "must be the next of an earlier reply");
}

export const noSuchKey = failing("not_found", "No key has this id.");

const name = {
	type: "string",
	minLength: 1,
	maxLength: 100,
	pattern: keyNameForm.source,
	description: `What or whom the key is for: it ${keyNameRule}.`,
};

const key = {
	id: whole64("Its number, from 1 upward."),
	name,
	prefix: text("Its first characters."),
	scope: ref("KeyScope"),
	createdAt: time("When it was made."),
};
const times = {
	expiresAt: time("From when on it is refused; absent if it does not expire."),
	revokedAt: time("When it was revoked; absent if not."),
	lastUsedAt: time("When it was used, to the minute; absent if never."),
	deprecatedUseAt: time(
		"When it last called a deprecated operation, to the minute; absent if never.",
	),
};

function withCode(text: string): string {
	return text.replaceAll(/\/[\w/]+/g, "`$&`");
}

export const keySchemas = {
	KeyScope: {
		type: "string",
		enum: keyScopes,
		description: keyScopes
			.map((scope) => `\`${scope}\`: ${withCode(scopeMeanings[scope])}.`)
			.join(" "),
	},
	Key: object("An API key, without its secret.", key, times),
	KeyWithSecret: object(
		"An API key, with its secret.",
		{ ...key, key: text("The key itself, to be sent as the bearer token.") },
		times,
	),
	Keys: object(
		"API keys, in the order of their ids.",
		{ keys: list("Key", maxPageSize) },
		{ next: text("The `cursor` of the next page; absent on the last one.") },
	),
	NewKey: closedObject(
		"An API key to make.",
		{ name },
		{
			scope: ref("KeyScope", "`read-write` by default."),
			expiresAt: time(
				"A time in the future, with an offset. A key without it does not expire.",
			),
		},
	),
	KeyName: closedObject("The new name of a key.", { name }),
};

/** `expiresAt` is far away, so that the example request stays valid. */
const made = {
	id: 1,
	name: "partner",
	prefix: "pet_4fZ9",
	scope: "read-write",
	createdAt: "2026-11-16T08:00:00.000Z",
	expiresAt: "2099-12-31T00:00:00.000Z",
};
const partner = { ...made, lastUsedAt: "2026-11-16T09:30:00.000Z" };
const renamed = { ...partner, name: "partner in Rome" };

const operation = operationsOf({
	tag: "keys",
	scope: "operator",
	pathParameters: {
		keyId: { description: "The id of the key.", schema: int64, example: 1 },
	},
});

export const keys = {
	tags: {
		keys: "The API keys: make, list, rename and revoke them.",
	},
	operations: {
		listKeys: operation({
			path: "/keys",
			summary: "List keys",
			description:
				"Includes revoked and expired keys, in the order of their ids. While the reply has a `next`, more keys follow. The keys themselves are stored nowhere.",
			query: [keysLimit, keysCursor],
			success: {
				description: "The keys.",
				body: "Keys",
				example: { keys: [partner], next: toKeysCursor(1) },
			},
			errors: ["invalid_parameter"],
		}),
		createKey: operation({
			method: "POST",
			path: "/keys",
			summary: "Make a key",
			description: "Only this reply has the key itself.",
			body: "NewKey",
			example: { name: made.name, expiresAt: made.expiresAt },
			success: {
				status: httpStatus.created,
				description: "The new key, with its secret.",
				body: "KeyWithSecret",
				example: {
					...made,
					key: "pet_4fZ9b6bLr2QwEo7TnUaKc3XvHyM1sDgJ0Pqk3NcVm",
				},
			},
		}),
		renameKey: operation({
			method: "PATCH",
			path: "/keys/{keyId}",
			summary: "Rename a key",
			description: "Only the name of a key can be changed.",
			body: "KeyName",
			example: { name: renamed.name },
			success: {
				description: "The key with its new name.",
				body: "Key",
				example: renamed,
			},
			errors: ["not_found"],
		}),
		revokeKey: operation({
			method: "DELETE",
			path: "/keys/{keyId}",
			summary: "Revoke a key",
			description:
				"Every process refuses the key, and the sessions that it made, within a second. A key can revoke itself. Revoking a key again changes nothing. Keys are deleted a year after they were revoked or expired.",
			success: {
				status: httpStatus.noContent,
				description: "The key is revoked.",
			},
			errors: ["not_found"],
		}),
	},
	schemas: keySchemas,
} satisfies Part;
