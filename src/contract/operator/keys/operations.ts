// The API keys in the operator interface.
import { toErrorBody } from "../../errors.ts";
import { errorOf } from "../../examples.ts";
import { keyNameRule } from "../../key-name.ts";
import { keyScopes } from "../../key-scope.ts";
import { httpStatus, type Operation } from "../../operation.ts";
import { int64 } from "../../schemas.ts";
import { anyErrors, bodyErrors, invalidBody } from "../any-operation.ts";
import type { Part } from "../part.ts";
import {
	anyKeyBody,
	anyKeyError,
	made,
	noKey,
	partner,
	renamed,
	rotated,
} from "./examples.ts";
import {
	forget,
	fromKeysCursor,
	keysCursor,
	keysLimit,
	toKeysCursor,
} from "./parameters.ts";
import { refuseForgetting, refuseRotation } from "./refusal.ts";
import { keySchemas, maxOverlapSeconds } from "./schemas.ts";

const keyId = {
	description: "The id of the key.",
	schema: int64,
	example: 1,
};

const common = { scope: "operator", tag: "keys", query: [] } as const;

const operations = {
	listKeys: {
		...common,
		method: "GET",
		path: "/keys",
		summary: "List keys",
		description:
			"Also revoked and expired ones, in the order of their ids. As long as the reply has a `next`, there are more. Their secrets are kept nowhere.",
		query: [keysLimit, keysCursor],
		success: {
			status: httpStatus.ok,
			description: "The keys.",
			body: "Keys",
			headers: [],
		},
		errors: ["invalid_parameter", ...anyErrors],
		furtherErrors: [],
	},
	createKey: {
		...common,
		method: "POST",
		path: "/keys",
		summary: "Make a key",
		description: "The reply has the key itself, this once only.",
		body: "NewKey",
		success: {
			status: httpStatus.created,
			description: "The new key, with its secret.",
			body: "KeyWithSecret",
			headers: [],
		},
		errors: [...bodyErrors, ...anyErrors],
		furtherErrors: [],
	},
	renameKey: {
		...common,
		method: "PATCH",
		path: "/keys/{keyId}",
		pathParameters: { keyId },
		summary: "Rename a key",
		description: "Nothing else about a key can be changed.",
		body: "KeyName",
		success: {
			status: httpStatus.ok,
			description: "The key with its new name.",
			body: "Key",
			headers: [],
		},
		errors: [...bodyErrors, "not_found", ...anyErrors],
		furtherErrors: [],
	},
	revokeKey: {
		...common,
		method: "DELETE",
		path: "/keys/{keyId}",
		pathParameters: { keyId },
		query: [forget],
		summary: "Revoke or forget a key",
		description:
			"Every process refuses the key, and the sessions that it made, within a second. A key can revoke itself. Revoking a key again changes nothing. With `forget=true` a key that was revoked 30 days ago or earlier is deleted for good.",
		success: {
			status: httpStatus.noContent,
			description: "The key is revoked, or deleted.",
			headers: [],
		},
		errors: ["invalid_parameter", "not_found", "conflict", ...anyErrors],
		furtherErrors: [],
	},
	rotateKey: {
		...common,
		method: "POST",
		path: "/keys/{keyId}/rotate",
		pathParameters: { keyId },
		summary: "Give a key another secret",
		description:
			"The key keeps its id, name, scope and expiry. Its old secret, and the sessions that were made with it, stay valid for `overlapSeconds`. The reply has the new secret, this once only.",
		body: "Rotation",
		success: {
			status: httpStatus.created,
			description: "The key, with its new secret.",
			body: "KeyWithSecret",
			headers: [],
		},
		errors: [...bodyErrors, "not_found", "conflict", ...anyErrors],
		furtherErrors: [],
	},
} as const satisfies Readonly<Record<string, Operation>>;

export const keys: Part<keyof typeof operations> = {
	tags: {
		keys: "The API keys: make, list, rename, rotate, revoke and forget them.",
	},
	operations,
	schemas: keySchemas,
	examples: {
		listKeys: {
			success: {
				oneKey: { keys: [partner] },
				morePages: { keys: [partner], next: toKeysCursor(1) },
			},
			errors: {
				...anyKeyError,
				invalid_parameter: {
					limit: errorOf(() => keysLimit.read("0")),
					cursor: errorOf(() => fromKeysCursor("x")),
				},
			},
		},
		createKey: {
			request: {
				key: { name: "partner", expiresAt: partner.expiresAt },
			},
			success: { newKey: made },
			errors: {
				...anyKeyBody,
				...invalidBody({
					noName: `name ${keyNameRule}.`,
					scope: `scope must be one of ${keyScopes.join(", ")}.`,
					pastExpiry: "expiresAt must be in the future.",
					unknownMember:
						"expires is unknown; known are name, scope, expiresAt.",
				}),
			},
		},
		renameKey: {
			request: { newName: { name: renamed.name } },
			success: { renamedKey: renamed },
			errors: {
				...anyKeyBody,
				...noKey,
				...invalidBody({ noName: `name ${keyNameRule}.` }),
			},
		},
		revokeKey: {
			success: {},
			errors: {
				...anyKeyError,
				...noKey,
				invalid_parameter: { forget: errorOf(() => forget.read("1")) },
				conflict: {
					valid: toErrorBody(refuseForgetting("valid")),
					recent: toErrorBody(refuseForgetting("recent")),
				},
			},
		},
		rotateKey: {
			request: { aDay: { overlapSeconds: 86_400 } },
			success: { newSecret: rotated },
			errors: {
				...anyKeyBody,
				...noKey,
				...invalidBody({
					noOverlap: `overlapSeconds must be a whole number from 0 to ${maxOverlapSeconds}.`,
				}),
				conflict: {
					revoked: toErrorBody(refuseRotation("revoked")),
					expired: toErrorBody(refuseRotation("expired")),
				},
			},
		},
	},
};
