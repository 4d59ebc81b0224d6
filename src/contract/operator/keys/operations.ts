// The API keys in the operator interface, and why a request about one is refused.
import { Failure, failing } from "../../../domain/errors.ts";
import { httpStatus, operationsOf, type Part } from "../../operation.ts";
import { flag, invalid, limitOf, text } from "../../parameter.ts";
import { int64 } from "../../schemas.ts";
import { keySchemas } from "./schemas.ts";

export const keysLimit = limitOf("Maximum number of keys returned.");

export const keysCursor = text({
	name: "cursor",
	description: "Where to continue: the `next` of an earlier reply.",
	pattern: "^[A-Za-z0-9_-]+$",
});

export const forget = flag(
	"forget",
	"Deletes the key for good, if it was revoked 30 days ago or earlier. Its usage stays under its id, which is never assigned again.",
);

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

export function refuseRotation(reason: "revoked" | "expired"): Failure {
	const problem = reason === "revoked" ? "was revoked" : "has expired";
	return new Failure(
		"conflict",
		`The key ${problem}, so it cannot be rotated.`,
	);
}

export function refuseForgetting(reason: "valid" | "recent"): Failure {
	return new Failure(
		"conflict",
		reason === "valid"
			? "The key is not revoked; revoke it first. It can be deleted 30 days later."
			: "The key was revoked less than 30 days ago, so it cannot be deleted yet.",
	);
}

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
		keys: "The API keys: make, list, rename, rotate, revoke and delete them.",
	},
	operations: {
		listKeys: operation({
			path: "/keys",
			summary: "List keys",
			description:
				"Includes revoked and expired keys, in the order of their ids. While the reply has a `next`, more keys follow. Their secrets are stored nowhere.",
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
			query: [forget],
			summary: "Revoke or delete a key",
			description:
				"Every process refuses the key, and the sessions that it made, within a second. A key can revoke itself. Revoking a key again changes nothing. With `forget=true` a key that was revoked 30 days ago or earlier is deleted for good.",
			success: {
				status: httpStatus.noContent,
				description: "The key is revoked, or deleted.",
			},
			errors: ["invalid_parameter", "not_found", "conflict"],
		}),
		rotateKey: operation({
			method: "POST",
			path: "/keys/{keyId}/rotate",
			summary: "Give a key another secret",
			description:
				"The key keeps its id, name, scope and expiry. Its old secret, and the sessions that were made with it, stay valid for `overlapSeconds`. Only this reply has the new secret.",
			body: "Rotation",
			example: { overlapSeconds: 86_400 },
			success: {
				status: httpStatus.created,
				description: "The key, with its new secret.",
				body: "KeyWithSecret",
				example: {
					...partner,
					prefix: "pet_9sLm",
					key: "pet_9sLmX2vBn7CqRt5YwZk8HjDf3GpA6EuT1oIiW4Nzc",
				},
			},
			errors: ["not_found", "conflict"],
		}),
	},
	schemas: keySchemas,
} satisfies Part;
