// The examples of the OpenAPI document: requests to an empty catalogue, and their replies. Messages come from the functions that
// make them, where the contract has these. A test sends the requests and compares every reply.
import { fromCursor } from "../cursor.ts";
import {
	type ErrorBody,
	type ErrorCode,
	Failure,
	storeUnavailable,
	storeWroteNothing,
	toErrorBody,
} from "../errors.ts";
import { toJsonProblem } from "../json-problem.ts";
import { readParameter } from "../parameter.ts";
import { toNewPet } from "../pet.ts";
import { toAddFailure, toLookupFailure } from "../retry.ts";
import { limit, type OperationId, status } from "../v1.ts";
import type { Examples } from "./json-content.ts";

export interface OperationExamples {
	readonly request?: Examples;
	readonly success: Examples;
	readonly errors: Readonly<Partial<Record<ErrorCode, Examples>>>;
}

const rex = { name: "Rex", categoryId: 1 };
const tom = { name: "Tom", categoryId: 2, status: "pending" };
const addedRex = { id: 1, ...rex, status: "available" };
const addedTom = { id: 2, ...tom };

const everyOperation = {
	unauthenticated: {
		noKey: error(
			"unauthenticated",
			'An API key is required, sent as "Authorization: Bearer <API_KEY>".',
		),
		invalidKey: error("unauthenticated", "The API key is not valid."),
	},
	rate_limited: {
		tooManyRequests: error(
			"rate_limited",
			"This API key may ask 100 times a second; try again after 1 s.",
		),
	},
	internal: { failure: error("internal", "The service failed.") },
};

const keyNotLookedUp = refusal(toLookupFailure(storeUnavailable()));

const anyRead = {
	...everyOperation,
	unavailable: {
		storeUnavailable: toErrorBody(storeUnavailable()),
		keyNotLookedUp,
	},
};

export const examples: Readonly<Record<OperationId, OperationExamples>> = {
	listPets: {
		success: { twoAnimals: [addedTom, addedRex], noAnimals: [] },
		errors: {
			...anyRead,
			invalid_parameter: {
				limit: errorOf(() => readParameter("limit=0", limit)),
				status: errorOf(() => readParameter("status=gone", status)),
				cursor: errorOf(() => fromCursor("x", { status: undefined })),
			},
		},
	},
	createPet: {
		request: { withoutStatus: rex, withStatus: tom },
		success: { withoutStatus: addedRex, withStatus: addedTom },
		errors: {
			...everyOperation,
			invalid_body: {
				notJson: error(
					"invalid_body",
					toJsonProblem(Buffer.from('{"name":"Rex",}'), 1),
				),
				notNewPet: errorOf(() => toNewPet({ name: 5, status: "gone" })),
			},
			invalid_parameter: {
				idempotencyKey: error(
					"invalid_parameter",
					"Idempotency-Key must be 1 to 255 visible ASCII characters, given once.",
				),
			},
			forbidden: { readKey: error("forbidden", "The API key may only read.") },
			request_timeout: {
				slowBody: error(
					"request_timeout",
					"The body must arrive within 6 seconds.",
				),
			},
			payload_too_large: {
				largeBody: error(
					"payload_too_large",
					"The body must not be larger than 65536 bytes.",
				),
			},
			unsupported_media_type: {
				mediaType: error(
					"unsupported_media_type",
					"Content-Type must be application/json.",
				),
			},
			idempotency_mismatch: {
				anotherAnimal: error(
					"idempotency_mismatch",
					"Idempotency-Key was used before to add another animal.",
				),
			},
			unavailable: {
				nothingAdded: refusal(toAddFailure(storeWroteNothing(), undefined)),
				mayBeAdded: refusal(toAddFailure(storeUnavailable(), undefined)),
				mayBeAddedWithKey: refusal(toAddFailure(storeUnavailable(), "key")),
				keyNotLookedUp,
			},
		},
	},
	getPet: {
		success: { animal: addedRex },
		errors: {
			...anyRead,
			not_found: {
				noAnimal: error("not_found", "There is no animal with this petId."),
			},
		},
	},
};

function error(code: ErrorCode, message: string): ErrorBody {
	return toErrorBody({ code, message });
}

/** The error with which a part of a request is refused. */
function errorOf(read: () => unknown): ErrorBody {
	try {
		return refusal(read());
	} catch (failure) {
		return refusal(failure);
	}
}

function refusal(failure: unknown): ErrorBody {
	if (failure instanceof Failure) return toErrorBody(failure);
	throw failure;
}
