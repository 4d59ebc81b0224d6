// The interface document as data: its resources and its three operations. Router, types, OpenAPI document and deprecation
// headers read from here. What we promise beyond the document is marked as an addition.
import type { ErrorCode } from "./errors.ts";
import { integer, oneOf, type Parameter, text } from "./parameter.ts";

export const interfaceVersion = "1.0.0";
export const versionPrefix = "/v1";

export const petStatuses = ["available", "pending", "sold"] as const;
export type PetStatus = (typeof petStatuses)[number];
export const defaultPetStatus: PetStatus = "available";

export interface NewPet {
	readonly name: string;
	readonly categoryId: bigint;
	readonly status: PetStatus;
}

export interface Pet extends NewPet {
	readonly id: bigint;
}

/** The statuses of success; those of failure are in errors.ts. */
export const httpStatus = {
	ok: 200,
	created: 201,
	noContent: 204,
	notModified: 304,
} as const;

export const keyScopes = ["read", "read-write"] as const;
export type KeyScope = (typeof keyScopes)[number];
/** The last use of a key is recorded at most this often. */
export const keyUseIntervalMs = 60_000;

/** How long an Idempotency-Key is kept. */
export const idempotencyLifetimeMs = 24 * 60 * 60 * 1000;

const int64 = { type: "integer", format: "int64" };

/** JSON Schemas by the document's names. */
export const schemas = {
	PetStatus: {
		type: "string",
		enum: petStatuses,
		description: "Availability status of an animal.",
	},
	NewPet: {
		type: "object",
		required: ["name", "categoryId"],
		properties: {
			name: {
				type: "string",
				description:
					"The animal's name: any text without U+0000 and lone surrogates, kept to the code point.",
			},
			categoryId: {
				...int64,
				description: "Id of the category the animal belongs to.",
			},
			status: {
				allOf: [{ $ref: "#/components/schemas/PetStatus" }],
				description: `Availability status; \`${defaultPetStatus}\` when omitted.`,
			},
		},
	},
	Pet: {
		allOf: [
			{ $ref: "#/components/schemas/NewPet" },
			{
				type: "object",
				required: ["id"],
				properties: {
					id: {
						...int64,
						description:
							"Unique identifier assigned by the service on creation.",
					},
				},
			},
		],
	},
	Pets: { type: "array", items: { $ref: "#/components/schemas/Pet" } },
	Error: {
		type: "object",
		required: ["code", "message", "status"],
		properties: {
			code: { type: "string", description: "Machine-readable error code." },
			message: { type: "string", description: "Human-readable description." },
			status: {
				type: "integer",
				description: "The HTTP status code of the response.",
			},
		},
	},
} as const;

export const limit = integer({
	name: "limit",
	description: "Maximum number of animals returned.",
	minimum: 1,
	maximum: 100,
	default: 20,
});

export const status = oneOf({
	name: "status",
	description: "Filters by availability status.",
	values: petStatuses,
	schema: { $ref: "#/components/schemas/PetStatus" },
});

export const cursor = text({
	name: "cursor",
	description:
		'Where a further page begins: taken from the `Link` header with `rel="next"`, for use with the same `status`.',
	addition: true,
});

export interface Operation {
	readonly method: "GET" | "POST";
	readonly path: string;
	readonly summary: string;
	readonly description: string;
	readonly pathParameters?: Readonly<Record<string, object>>;
	readonly query: readonly Parameter<unknown>[];
	readonly body?: keyof typeof schemas;
	readonly success: {
		readonly status: number;
		readonly description: string;
		readonly body: keyof typeof schemas;
		readonly headers: readonly (keyof typeof replyHeaders)[];
	};
	/** The document's own error replies, and those that our additions answer with. */
	readonly errors: readonly ErrorCode[];
	readonly furtherErrors: readonly ErrorCode[];
	readonly deprecation?: {
		readonly since: Date;
		readonly sunset: Date;
		readonly successor: string;
	};
}

export const operationIds = ["listPets", "createPet", "getPet"] as const;
export type OperationId = (typeof operationIds)[number];

export const operations: Readonly<Record<OperationId, Operation>> = {
	listPets: {
		method: "GET",
		path: "/pets",
		summary: "List animals",
		description:
			"Newest first. When more animals follow, the reply has a `Link` to the next page.",
		query: [limit, status, cursor],
		success: {
			status: httpStatus.ok,
			description: "The animals.",
			body: "Pets",
			headers: ["ETag", "Link"],
		},
		errors: ["unauthenticated"],
		furtherErrors: [
			"invalid_parameter",
			"rate_limited",
			"internal",
			"unavailable",
		],
	},
	createPet: {
		method: "POST",
		path: "/pets",
		summary: "Add an animal",
		description:
			"With an `Idempotency-Key` the request may be repeated safely for 24 hours.",
		query: [],
		body: "NewPet",
		success: {
			status: httpStatus.created,
			description: "The animal as it was added.",
			body: "Pet",
			headers: ["Location", "Idempotency-Replayed"],
		},
		errors: ["invalid_body", "unauthenticated"],
		furtherErrors: [
			"invalid_parameter",
			"forbidden",
			"request_timeout",
			"payload_too_large",
			"unsupported_media_type",
			"idempotency_mismatch",
			"rate_limited",
			"internal",
			"unavailable",
		],
	},
	getPet: {
		method: "GET",
		path: "/pets/{petId}",
		summary: "Get an animal",
		description:
			"Deprecated: use `GET /pets` with the `status` filter. It is to be removed on 5 December 2030.",
		pathParameters: {
			petId: { description: "The id of the animal.", schema: int64 },
		},
		query: [],
		success: {
			status: httpStatus.ok,
			description: "The animal.",
			body: "Pet",
			headers: ["ETag"],
		},
		errors: ["unauthenticated", "not_found"],
		furtherErrors: ["rate_limited", "internal", "unavailable"],
		deprecation: {
			// The document gives no start; we say five years before the removal.
			since: new Date("2025-12-05T00:00:00Z"),
			sunset: new Date("2030-12-05T00:00:00Z"),
			successor: "/pets",
		},
	},
};

/** Reply headers, all of them additions. */
export const replyHeaders = {
	ETag: "Names this exact reply, for use in `If-None-Match`.",
	Link: "Related addresses: the next page, or the operation that replaces a deprecated one.",
	Location: "The address of the new animal.",
	Deprecation: "When the operation was deprecated, as a Unix time after `@`.",
	Sunset: "When the operation is to be removed.",
	"Idempotency-Replayed":
		"`true` when this reply repeats that of an earlier request with the same Idempotency-Key.",
	"Retry-After": "Seconds to wait before trying again.",
	"WWW-Authenticate": "The challenge of the bearer scheme.",
} as const;
