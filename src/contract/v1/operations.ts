// The interface document as data: query parameters and three operations.
import { cursorWith } from "../cursor.ts";
import { filters } from "../filter.ts";
import { httpStatus, type Operation, operationsOf } from "../operation.ts";
import { limitOf } from "../parameter.ts";
import { int64 } from "../schemas.ts";

export const interfaceVersion = "1.0.0";
export const versionPrefix = "/v1";

export const limit = limitOf("Maximum number of animals returned.", {
	example: 10,
});

const offered = [filters.status];

export const cursor = cursorWith(offered, {
	description:
		'Where a further page begins: taken from the `Link` header with `rel="next"`, for use with',
	rule: "must be taken from the Link of a list with",
	addition: true,
});

export const petId = {
	description: "The id of the animal.",
	schema: int64,
	example: 1,
};

export type OperationId = "listPets" | "createPet" | "getPet";

const rex = { name: "Rex", categoryId: 1 };
const tom = { name: "Tom", categoryId: 2, status: "pending" };
const addedRex = { id: 1, ...rex, status: "available" };
const addedTom = { id: 2, ...tom };

const operation = operationsOf({ tag: "pets", pathParameters: { petId } });

export const operations: Readonly<Record<OperationId, Operation>> = {
	listPets: operation({
		path: "/pets",
		scope: "read",
		summary: "List animals",
		description:
			"Newest first. When more animals follow, the reply has a `Link` to the next page.",
		query: [limit, ...offered, cursor],
		success: {
			description: "The animals.",
			body: "Pets",
			headers: ["ETag", "Link"],
			example: [addedTom, addedRex],
		},
		errors: ["invalid_parameter"],
		named: ["unauthenticated"],
	}),
	createPet: operation({
		method: "POST",
		path: "/pets",
		scope: "read-write",
		summary: "Add an animal",
		description:
			"With an `Idempotency-Key` the request may be repeated safely for 24 hours. " +
			"Without one, repeat it after a 503 only if that has a `Retry-After`: otherwise the animal may have been added.",
		body: "NewPet",
		example: rex,
		success: {
			status: httpStatus.created,
			description: "The animal as it was added.",
			body: "Pet",
			headers: ["Location", "Idempotency-Replayed"],
			located: "getPet",
			example: addedRex,
		},
		errors: [
			"invalid_parameter",
			"forbidden",
			"idempotency_mismatch",
			"ids_exhausted",
		],
		named: ["invalid_body", "unauthenticated"],
	}),
	getPet: operation({
		path: "/pets/{petId}",
		scope: "read",
		summary: "Get an animal",
		description:
			"Deprecated: use `GET /pets` with the `status` filter. It is to be removed on 5 December 2030.",
		success: {
			description: "The animal.",
			body: "Pet",
			headers: ["ETag"],
			example: addedRex,
		},
		errors: ["not_found"],
		named: ["unauthenticated", "not_found"],
		deprecation: {
			// The document gives no date, so it is five years before the removal.
			since: new Date("2025-12-05T00:00:00Z"),
			sunset: new Date("2030-12-05T00:00:00Z"),
			successor: "/pets",
		},
	}),
};
