// The examples of the animals in the operator interface: requests to an empty catalogue in their order, and their replies.
import { readPlace, toCursor } from "../../cursor.ts";
import { storeUnavailable, storeWroteNothing } from "../../errors.ts";
import {
	anyBody,
	anyRead,
	type Examples,
	error,
	errorOf,
	everyOperation,
	exhausted,
	keyNotLookedUp,
	notJson,
	type OperationExamples,
	refusal,
} from "../../examples.ts";
import { readFilter } from "../../filter.ts";
import { ifMatchRule } from "../../if-match.ts";
import { invalid, readParameter } from "../../parameter.ts";
import { noSuchPet, type StoredPet } from "../../pet.ts";
import { toChangeFailure } from "../../retry.ts";
import { examples } from "../../v1/examples.ts";
import { limit } from "../../v1/operations.ts";
import { forbidden } from "../any-operation.ts";
import { toPetChanges } from "./changes.ts";
import { cursor, format, offered } from "./parameters.ts";
import { toPetPatch } from "./patch.ts";
import { refuseChange, refuseEntry } from "./refusal.ts";

const { createPet } = examples;
const added = { addedAt: "2026-11-16T08:00:00.000Z", addedBy: 1 };
const rex = {
	...{ id: 1, name: "Rex", categoryId: 1, status: "available" },
	...{ version: 1, ...added },
};
const tom = {
	...{ id: 2, name: "Tom", categoryId: 2, status: "pending" },
	...{ version: 2, ...added },
};
const changed: StoredPet = {
	id: 1n,
	name: "Rexi",
	categoryId: 3n,
	status: "available",
	version: 5n,
	addedAt: BigInt(Date.parse(added.addedAt)),
	addedBy: 1n,
};

const ifMatch = refusal(invalid("If-Match", ifMatchRule));

/** Errors of a change of one animal. */
const anyChange = {
	...everyOperation,
	forbidden,
	invalid_parameter: { ifMatch },
	not_found: { noAnimal: refusal(noSuchPet()) },
	precondition_failed: {
		changedMeanwhile: refusal(
			refuseChange({ outcome: "differs", pet: changed }),
		),
	},
	ids_exhausted: exhausted,
};

export const petExamples = {
	findPets: {
		success: {
			twoAnimals: { pets: [tom, rex], looked: 2 },
			firstOfTwo: { pets: [tom], next: toCursor(2n, {}), looked: 1 },
			noAnimals: { pets: [], looked: 0 },
		},
		errors: {
			...anyRead,
			forbidden,
			invalid_parameter: {
				limit: errorOf(() => readParameter("limit=0", limit)),
				status: errorOf(() => readPlace("status=gone", cursor)),
				categoryId: errorOf(() => readPlace("categoryId=x", cursor)),
				cursor: errorOf(() => readPlace("cursor=x", cursor)),
			},
		},
	},
	addPet: {
		...createPet,
		success: { withoutStatus: rex, withStatus: tom },
		errors: { ...createPet.errors, forbidden },
	},
	readPet: {
		success: { animal: rex },
		errors: {
			...anyRead,
			forbidden,
			not_found: { noAnimal: refusal(noSuchPet()) },
		},
	},
	changePet: {
		request: {
			status: { status: "sold" },
			nameAndCategory: { name: "Rexi", categoryId: 3 },
		},
		success: {
			status: { ...rex, status: "sold", version: 3 },
			nameAndCategory: {
				...{ ...rex, name: "Rexi", categoryId: 3, status: "sold", version: 4 },
			},
		},
		errors: {
			...anyChange,
			...anyBody,
			unsupported_media_type: {
				mediaType: error(
					"unsupported_media_type",
					"Content-Type must be application/merge-patch+json or application/json.",
				),
			},
			invalid_body: {
				notJson,
				notPetPatch: errorOf(() => toPetPatch({ name: null, status: "gone" })),
			},
			unavailable: afterChange("change"),
		},
	},
	removePet: {
		success: {},
		errors: { ...anyChange, unavailable: afterChange("removal") },
	},
	changePets: {
		request: {
			changeAndRemoval: {
				changes: [
					{ petId: 1, set: { status: "available" } },
					{ petId: 2, remove: true },
				],
			},
		},
		success: {
			changeAndRemoval: { changed: 1, removed: 1, versions: [5, 0] },
		},
		errors: {
			...everyOperation,
			...anyBody,
			payload_too_large: {
				largeBody: error(
					"payload_too_large",
					"The body must not be larger than 1048576 bytes.",
				),
			},
			forbidden,
			invalid_body: {
				notJson,
				notPetChanges: errorOf(() =>
					toPetChanges({ changes: [{ petId: 1n, set: { name: 5 } }] }),
				),
			},
			not_found: {
				noAnimal: refusal(refuseEntry({ outcome: "missing", index: 0 }, 99n)),
			},
			precondition_failed: {
				changedMeanwhile: refusal(
					refuseEntry({ outcome: "differs", index: 0, pet: changed }, 1n),
				),
			},
			unavailable: afterChange("batch"),
			ids_exhausted: exhausted,
		},
	},
	exportPets: {
		success: {},
		errors: {
			...anyRead,
			forbidden,
			invalid_parameter: {
				format: errorOf(() => readParameter("format=xml", format)),
				status: errorOf(() => readFilter("status=gone", offered)),
				categoryId: errorOf(() => readFilter("categoryId=x", offered)),
			},
		},
	},
} as const satisfies Readonly<Record<string, OperationExamples>>;

function afterChange(kind: "change" | "removal" | "batch"): Examples {
	return {
		nothingChanged: refusal(toChangeFailure(storeWroteNothing(), kind)),
		mayBeDone: refusal(toChangeFailure(storeUnavailable(), kind)),
		keyNotLookedUp,
	};
}
