// The JSON Schemas of the API keys in the operator interface.
import { keyNameForm, keyNameRule } from "../../key-name.ts";
import { keyScopes, scopeMeanings } from "../../key-scope.ts";
import { int64, maxPets } from "../../schemas.ts";

/** How long a rotated key may still be used with its old secret, in seconds. */
export const maxOverlapSeconds = 604_800;

const time = { type: "string", format: "date-time" } as const;

const name = {
	type: "string",
	minLength: 1,
	maxLength: 100,
	pattern: keyNameForm.source,
	description: `What or whom the key is for: it ${keyNameRule}.`,
} as const;

const KeyScope = {
	type: "string",
	enum: keyScopes,
	description: keyScopes
		.map((scope) => `\`${scope}\`: ${withCode(scopeMeanings[scope])}.`)
		.join(" "),
} as const;
const scope = { $ref: "#/components/schemas/KeyScope" } as const;

/** Marks the paths in a text as code. */
function withCode(text: string): string {
	return text.replaceAll(/\/[\w/]+/g, "`$&`");
}

const keyProperties = {
	id: { ...int64, description: "Its number, from 1 upward." },
	name,
	prefix: {
		type: "string",
		description: "The first characters of its newest secret.",
	},
	scope,
	createdAt: { ...time, description: "When it was made." },
	expiresAt: {
		...time,
		description: "From when on it is refused; absent if it does not expire.",
	},
	revokedAt: { ...time, description: "When it was revoked; absent if not." },
	lastUsedAt: {
		...time,
		description: "When it was used, to the minute; absent if never.",
	},
} as const;
const required = ["id", "name", "prefix", "scope", "createdAt"] as const;

export const keySchemas = {
	KeyScope,
	Key: {
		type: "object",
		description: "An API key, without its secret.",
		required,
		properties: keyProperties,
	},
	KeyWithSecret: {
		type: "object",
		description: "An API key, with its newest secret.",
		required: [...required, "key"],
		properties: {
			...keyProperties,
			key: {
				type: "string",
				description: "The key itself, to be sent as the bearer token.",
			},
		},
	},
	Keys: {
		type: "object",
		description: "API keys, in the order of their ids.",
		required: ["keys"],
		properties: {
			keys: {
				type: "array",
				maxItems: maxPets,
				items: { $ref: "#/components/schemas/Key" },
			},
			next: {
				type: "string",
				description: "The `cursor` for further keys; absent if there are none.",
			},
		},
	},
	NewKey: {
		type: "object",
		description: "An API key to make.",
		required: ["name"],
		additionalProperties: false,
		properties: {
			name,
			scope: { ...scope, description: "`read-write` if not given." },
			expiresAt: {
				...time,
				description:
					"A time in the future, with an offset. A key without it does not expire.",
			},
		},
	},
	KeyName: {
		type: "object",
		description: "The new name of a key.",
		required: ["name"],
		additionalProperties: false,
		properties: { name },
	},
	Rotation: {
		type: "object",
		description: "How a key gets another secret.",
		required: ["overlapSeconds"],
		additionalProperties: false,
		properties: {
			overlapSeconds: {
				type: "integer",
				format: "int32",
				minimum: 0,
				maximum: maxOverlapSeconds,
				description: "How long the old secret stays valid.",
			},
		},
	},
} as const;
