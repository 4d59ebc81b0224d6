// The examples of `/v1`: requests to an empty catalogue, and their replies.
import { readPlace } from "../cursor.ts";
import { storeUnavailable, storeWroteNothing } from "../errors.ts";
import {
	anyBody,
	anyRead,
	error,
	errorOf,
	everyOperation,
	exhausted,
	keyNotLookedUp,
	notJson,
	type OperationExamples,
	refusal,
} from "../examples.ts";
import { readParameter } from "../parameter.ts";
import { noSuchPet, toNewPet } from "../pet.ts";
import { toAddFailure } from "../retry.ts";
import { cursor, limit, type OperationId } from "./operations.ts";

const rex = { name: "Rex", categoryId: 1 };
const tom = { name: "Tom", categoryId: 2, status: "pending" };
const addedRex = { id: 1, ...rex, status: "available" };
const addedTom = { id: 2, ...tom };

export const examples: Readonly<Record<OperationId, OperationExamples>> = {
	listPets: {
		success: { twoAnimals: [addedTom, addedRex], noAnimals: [] },
		errors: {
			...anyRead,
			invalid_parameter: {
				limit: errorOf(() => readParameter("limit=0", limit)),
				status: errorOf(() => readPlace("status=gone", cursor)),
				cursor: errorOf(() => readPlace("cursor=x", cursor)),
			},
		},
	},
	createPet: {
		request: { withoutStatus: rex, withStatus: tom },
		success: { withoutStatus: addedRex, withStatus: addedTom },
		errors: {
			...everyOperation,
			...anyBody,
			invalid_body: {
				notJson,
				notNewPet: errorOf(() => toNewPet({ name: 5, status: "gone" })),
			},
			invalid_parameter: {
				idempotencyKey: error(
					"invalid_parameter",
					"Idempotency-Key must be 1 to 255 visible ASCII characters, given once.",
				),
			},
			forbidden: { readKey: error("forbidden", "The API key may only read.") },
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
			ids_exhausted: exhausted,
		},
	},
	getPet: {
		success: { animal: addedRex },
		errors: {
			...anyRead,
			not_found: { noAnimal: refusal(noSuchPet()) },
		},
	},
};
