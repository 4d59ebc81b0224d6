// The animals in the operator interface: find, add, read, change and remove them, one or many. The examples are requests to an empty catalogue,
// in their order.
import { storeUnavailable, storeWroteNothing } from "../../../domain/errors.ts";
import { fileFormats, fileMediaTypes } from "../../../domain/file-format.ts";
import { noSuchPet, type StoredPet } from "../../../domain/pet.ts";
import { cursorWith, readPlace, toCursor } from "../../cursor.ts";
import {
	errorOf,
	noIdLeft,
	readKey,
	refusal,
	tooLarge,
	wrongMediaType,
} from "../../examples.ts";
import { filters, readFilter } from "../../filter.ts";
import { httpStatus, type Part, toOperation } from "../../operation.ts";
import { oneOf, readParameter } from "../../parameter.ts";
import { toChangeFailure } from "../../retry.ts";
import { limit, operations as ofClients, petId } from "../../v1/operations.ts";
import { malformedIfMatch } from "../../version.ts";
import {
	refuseChange,
	refuseEntry,
	toPetChanges,
	toPetPatch,
} from "./changes.ts";
import { importPets, importSchemas } from "./import.ts";
import { petSchemas } from "./schemas.ts";

export const counted = [filters.status, filters.categoryId];
export const offered = [...counted, filters.name];
const searched = [...offered, filters.id, filters.order];

export const cursor = cursorWith(searched, {
	description:
		"Where to continue: the `next` of an earlier reply, for use with",
	rule: "must be the next of a reply to",
});

export const format = oneOf({
	name: "format",
	description: "The format of the file; NDJSON if absent.",
	values: fileFormats,
	schema: { type: "string", enum: fileFormats, default: "ndjson" },
	example: "csv",
});

export const added = { addedAt: "2026-11-16T08:00:00.000Z", addedBy: 1 };
export const rex = {
	...{ id: 1, name: "Rex", categoryId: 1, status: "available" },
	...{ version: 1, ...added },
};
export const tom = {
	...{ id: 2, name: "Tom", categoryId: 2, status: "pending" },
	...{ version: 2, ...added },
};
const rexi = { ...rex, name: "Rexi", categoryId: 3, status: "sold" };
const changed: StoredPet = {
	id: 1n,
	name: "Rexi",
	categoryId: 3n,
	status: "available",
	version: 5n,
	addedAt: BigInt(Date.parse(added.addedAt)),
	addedBy: 1n,
};

export const noAnimal = refusal(noSuchPet());

export const anyChange = {
	noAnimal,
	noIdLeft,
	ifMatch: refusal(malformedIfMatch()),
	changedMeanwhile: refusal(refuseChange({ outcome: "differs", pet: changed })),
};

export function afterChange(kind: "change" | "removal" | "batch") {
	return {
		nothingChanged: refusal(toChangeFailure(storeWroteNothing(), kind)),
		mayBeDone: refusal(toChangeFailure(storeUnavailable(), kind)),
	};
}

const common = { scope: "operator", tag: "pets", path: "/pets" } as const;
const onePet = {
	...common,
	path: "/pets/{petId}",
	pathParameters: { petId },
} as const;

export const pets: Part<
	| ("findPets" | "addPet" | "readPet" | "changePet" | "removePet")
	| ("countPets" | "changePets" | "exportPets" | "importPets")
> = {
	tags: { pets: "The animals: find, add, change and remove them." },
	operations: {
		findPets: toOperation({
			...common,
			method: "GET",
			summary: "Find animals",
			description:
				"One request searches a limited number of animals, for a limited time. While the reply has a `next`, the search can continue, even if nothing was found yet.",
			query: [...searched, limit, cursor],
			success: {
				description: "The animals that were found.",
				body: "FoundPets",
				examples: {
					twoAnimals: { pets: [tom, rex], looked: 2, of: 2 },
					firstOfTwo: {
						...{ pets: [tom], next: toCursor(2n, {}), looked: 1, of: 2 },
					},
					noAnimals: { pets: [], looked: 0, of: 0 },
				},
			},
			errors: {
				limit: errorOf(() => readParameter("limit=0", limit)),
				status: errorOf(() => readPlace("status=gone", cursor)),
				categoryId: errorOf(() => readPlace("categoryId=x", cursor)),
				id: errorOf(() => readPlace("id=x", cursor)),
				order: errorOf(() => readPlace("order=x", cursor)),
				cursor: errorOf(() => readPlace("cursor=x", cursor)),
			},
		}),
		countPets: toOperation({
			...common,
			method: "GET",
			path: "/pets/count",
			summary: "Count animals",
			description:
				"Takes about a second at most, and the number is used again for some seconds. It may miss animals that are added, changed or removed during the count. Counting a category takes longer than counting a status.",
			query: counted,
			success: {
				description: "The number of animals.",
				body: "PetCount",
				examples: { twoAnimals: { pets: 2 } },
			},
			errors: {
				status: errorOf(() => readFilter("status=gone", counted)),
				categoryId: errorOf(() => readFilter("categoryId=x", counted)),
			},
		}),
		addPet: toOperation({
			...common,
			method: "POST",
			summary: "Add an animal",
			description:
				"Like `createPet` of the interface of the catalogue, including its `Idempotency-Key`.",
			body: "NewPet",
			request: ofClients.createPet.examples.request,
			success: {
				...ofClients.createPet.success,
				located: "readPet",
				examples: { withoutStatus: rex, withStatus: tom },
			},
			errors: { ...ofClients.createPet.examples.errors, readKey },
		}),
		readPet: toOperation({
			...onePet,
			method: "GET",
			summary: "Get an animal",
			description: "Its `ETag` is for the `If-Match` of a change.",
			success: {
				description: "The animal.",
				body: "Pet",
				headers: ["ETag"],
				examples: { animal: rex },
			},
			errors: { noAnimal },
		}),
		changePet: toOperation({
			...onePet,
			method: "PATCH",
			summary: "Change an animal",
			description:
				"A JSON merge patch. With `If-Match` it cannot overwrite a change by somebody else.",
			body: "PetPatch",
			mediaType: "application/merge-patch+json",
			honoursIfMatch: true,
			request: {
				status: { status: "sold" },
				nameAndCategory: { name: "Rexi", categoryId: 3 },
			},
			success: {
				description: "The animal as it is now.",
				body: "Pet",
				headers: ["ETag"],
				examples: {
					status: { ...rex, status: "sold", version: 3 },
					nameAndCategory: { ...rexi, version: 4 },
				},
			},
			errors: {
				...anyChange,
				...afterChange("change"),
				mediaType: wrongMediaType(
					"application/merge-patch+json or application/json",
				),
				notPetPatch: errorOf(() => toPetPatch({ name: null, status: "gone" })),
			},
		}),
		removePet: toOperation({
			...onePet,
			method: "DELETE",
			summary: "Remove an animal",
			description: "Its id is never used again.",
			honoursIfMatch: true,
			success: {
				status: httpStatus.noContent,
				description: "The animal was removed.",
			},
			errors: { ...anyChange, ...afterChange("removal") },
		}),
		changePets: toOperation({
			...common,
			method: "POST",
			path: "/pets/batch",
			summary: "Change and remove many animals",
			description:
				"In one transaction: all entries are done, or none. An error has the index of the first entry that cannot be done. The body may have up to 1 MiB.",
			body: "PetChanges",
			request: {
				changeAndRemoval: {
					changes: [
						{ petId: 1, set: { status: "available" } },
						{ petId: 2, remove: true },
					],
				},
			},
			success: {
				description: "All entries were done.",
				body: "ChangedPets",
				examples: {
					changeAndRemoval: { changed: 1, removed: 1, versions: [5, 0] },
				},
			},
			errors: {
				noIdLeft,
				...afterChange("batch"),
				largeBody: tooLarge(1_048_576),
				notPetChanges: errorOf(() =>
					toPetChanges({ changes: [{ petId: 1n, set: { name: 5 } }] }),
				),
				noAnimal: refusal(refuseEntry({ outcome: "missing", index: 0 }, 99n)),
				changedMeanwhile: refusal(
					refuseEntry({ outcome: "differs", index: 0, pet: changed }, 1n),
				),
			},
		}),
		exportPets: toOperation({
			...common,
			method: "GET",
			path: "/pets/export",
			summary: "Export animals",
			description:
				"A file with all animals, or some of them, as they are at one moment, by ascending id. A process sends few exports at the same time, and aborts one that is read too slowly. `petstore export` has neither limit.",
			query: [format, ...offered],
			success: {
				description:
					"A line for each animal. CSV has a header line, and lines that end in CRLF.",
				otherBodies: {
					[fileMediaTypes.ndjson]: { type: "string" },
					[fileMediaTypes.csv]: { type: "string" },
				},
			},
			errors: {
				format: errorOf(() => readParameter("format=xml", format)),
				status: errorOf(() => readFilter("status=gone", offered)),
				categoryId: errorOf(() => readFilter("categoryId=x", offered)),
			},
		}),
		importPets,
	},
	schemas: { ...petSchemas, ...importSchemas },
};
