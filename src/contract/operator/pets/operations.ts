// Animals in the operator interface: find, add, read, change and remove one or many.
import { toCursor } from "../../../domain/cursor.ts";
import { type ErrorCode, failing } from "../../../domain/errors.ts";
import {
	excelMediaType,
	fileFormats,
	fileMediaTypes,
} from "../../../domain/file-format.ts";
import { cursor, filters } from "../../filter.ts";
import { httpStatus, operationsOf, type Part } from "../../operation.ts";
import { flag, limitOf, oneOf, withDefault } from "../../parameter.ts";
import { int64 } from "../../schemas.ts";
import { importPets, importSchemas } from "./import.ts";
import { petSchemas } from "./schemas.ts";

export const counted = [filters.status, filters.categoryId];
export const offered = [...counted, filters.name];
export const searched = [...offered, filters.id];

export const limit = limitOf("Maximum number of animals returned.", {
	example: 10,
});

export const petId = {
	description: "The id of the animal.",
	schema: int64,
	example: 1,
};

export const format = withDefault(
	oneOf({
		name: "format",
		description: "The format of the file; NDJSON if absent.",
		values: fileFormats,
		example: "csv",
	}),
	"ndjson",
);

export const excel = flag(
	"excel",
	"Writes the CSV file for Excel: UTF-16 with a byte order mark, and tabs between the fields. It needs `format=csv`.",
);

export const excelNeedsCsv = failing(
	"invalid_parameter",
	"excel needs format=csv.",
);

const added = { addedAt: "2026-11-16T08:00:00.000Z", addedBy: 1 };
export const rex = {
	id: 1,
	name: "Rex",
	categoryId: 1,
	status: "available",
	version: 1,
	...added,
};
export const tom = {
	id: 2,
	name: "Tom",
	categoryId: 2,
	status: "pending",
	version: 2,
	...added,
};

/** Of every change of one animal. */
export const changeErrors: readonly ErrorCode[] = [
	"invalid_parameter",
	"not_found",
	"precondition_failed",
	"ids_exhausted",
];

const operation = operationsOf({
	tag: "pets",
	scope: "operator",
	pathParameters: { petId },
});

export const pets = {
	tags: { pets: "The animals: find, add, change and remove them." },
	operations: {
		findPets: operation({
			path: "/pets",
			summary: "Find animals",
			description:
				"One request searches a limited number of animals, for a limited time. While the reply has a `next`, the search can continue, even if nothing was found yet.",
			query: [...searched, limit, cursor],
			success: {
				description: "The animals that were found.",
				body: "FoundPets",
				example: { pets: [tom], next: toCursor(2n, {}) },
			},
			errors: ["invalid_parameter"],
		}),
		countPets: operation({
			path: "/pets/count",
			summary: "Count animals",
			description:
				"Takes about a second at most. A long count is cached for some seconds. It may miss animals that are added, changed or removed during the count. Counting a category takes longer than counting a status.",
			query: counted,
			success: {
				description: "The number of animals.",
				body: "PetCount",
				example: { pets: 2 },
			},
			errors: ["invalid_parameter"],
		}),
		addPet: operation({
			path: "/pets",
			method: "POST",
			summary: "Add an animal",
			description:
				"Like `createPet` of the interface of the catalogue, including its `Idempotency-Key`.",
			body: "NewPet",
			example: { name: "Rex", categoryId: 1 },
			success: {
				status: httpStatus.created,
				description: "The animal as it was added.",
				body: "Pet",
				headers: ["Location", "Idempotency-Replayed"],
				located: "readPet",
				example: rex,
			},
			errors: ["invalid_parameter", "idempotency_mismatch", "ids_exhausted"],
		}),
		readPet: operation({
			path: "/pets/{petId}",
			summary: "Get an animal",
			description: "Its `ETag` is for the `If-Match` of a change.",
			success: {
				description: "The animal.",
				body: "Pet",
				headers: ["ETag"],
				example: rex,
			},
			errors: ["not_found"],
		}),
		changePet: operation({
			path: "/pets/{petId}",
			method: "PATCH",
			summary: "Change an animal",
			description:
				"A JSON merge patch. With `If-Match` it cannot overwrite a change by somebody else.",
			body: "PetPatch",
			mediaType: "application/merge-patch+json",
			honoursIfMatch: true,
			example: { status: "sold" },
			success: {
				description: "The animal as it is now.",
				body: "Pet",
				headers: ["ETag"],
				example: { ...rex, status: "sold", version: 3 },
			},
			errors: changeErrors,
		}),
		removePet: operation({
			path: "/pets/{petId}",
			method: "DELETE",
			summary: "Remove an animal",
			description: "Its id is never used again.",
			honoursIfMatch: true,
			success: {
				status: httpStatus.noContent,
				description: "The animal was removed.",
			},
			errors: changeErrors,
		}),
		changePets: operation({
			method: "POST",
			path: "/pets/batch",
			summary: "Change and remove many animals",
			description:
				"In one transaction: all entries are done, or none. An error has the index of the first entry that breaks a rule or cannot be done. The body may have up to 1 MiB.",
			body: "PetChanges",
			example: {
				changes: [
					{ petId: 1, set: { status: "available" } },
					{ petId: 2, remove: true },
				],
			},
			success: {
				description: "All entries were done.",
				body: "ChangedPets",
				example: { changed: 1, removed: 1, versions: [5, 0] },
			},
			errors: ["not_found", "precondition_failed", "ids_exhausted"],
		}),
		exportPets: operation({
			path: "/pets/export",
			summary: "Export animals",
			description:
				"A file with all animals, or some of them, as they are at one moment, by ascending id. A process sends few exports at the same time, and aborts one that is read too slowly. `petstore export` has neither limit.",
			query: [format, excel, ...offered],
			success: {
				description:
					"A line for each animal. CSV has a header line, and lines that end in CRLF.",
				otherBodies: {
					[fileMediaTypes.ndjson]: { type: "string" },
					[fileMediaTypes.csv]: { type: "string" },
					[excelMediaType]: { type: "string" },
				},
			},
			errors: ["invalid_parameter"],
		}),
		importPets,
	},
	schemas: { ...petSchemas, ...importSchemas },
} satisfies Part;
