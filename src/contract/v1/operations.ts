// The interface document as data: its query parameters and its three operations. interface.ts puts them together with the rest.
import { cursorWith } from "../cursor.ts";
import { filters } from "../filter.ts";
import { httpStatus, type Operation } from "../operation.ts";
import { integer } from "../parameter.ts";
import { int64, maxPets } from "../schemas.ts";

export const interfaceVersion = "1.0.0";
export const versionPrefix = "/v1";

export const limit = integer({
	name: "limit",
	description: "Maximum number of animals returned.",
	minimum: 1,
	maximum: maxPets,
	default: 20,
	example: 10,
});

/** Of listPets. */
const offered = [filters.status];

export const cursor = cursorWith(offered, {
	description:
		'Where a further page begins: taken from the `Link` header with `rel="next"`, for use with',
	rule: "must be taken from the Link of a list with",
	addition: true,
});

/** In the path. */
export const petId = {
	description: "The id of the animal.",
	schema: int64,
	example: 1,
};

export const operationIds = ["listPets", "createPet", "getPet"] as const;
export type OperationId = (typeof operationIds)[number];

export const operations: Readonly<Record<OperationId, Operation>> = {
	listPets: {
		method: "GET",
		path: "/pets",
		scope: "read",
		tag: "pets",
		summary: "List animals",
		description:
			"Newest first. When more animals follow, the reply has a `Link` to the next page.",
		query: [limit, ...offered, cursor],
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
		scope: "read-write",
		tag: "pets",
		summary: "Add an animal",
		description:
			"With an `Idempotency-Key` the request may be repeated safely for 24 hours. " +
			"Without one, repeat it after a 503 only if that has a `Retry-After`: otherwise the animal may have been added.",
		query: [],
		body: "NewPet",
		success: {
			status: httpStatus.created,
			description: "The animal as it was added.",
			body: "Pet",
			headers: ["Location", "Idempotency-Replayed"],
			located: "getPet",
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
			"ids_exhausted",
		],
	},
	getPet: {
		method: "GET",
		path: "/pets/{petId}",
		scope: "read",
		tag: "pets",
		summary: "Get an animal",
		description:
			"Deprecated: use `GET /pets` with the `status` filter. It is to be removed on 5 December 2030.",
		pathParameters: { petId },
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
			// The document gives no start, so it is five years before the removal.
			since: new Date("2025-12-05T00:00:00Z"),
			sunset: new Date("2030-12-05T00:00:00Z"),
			successor: "/pets",
		},
	},
};
