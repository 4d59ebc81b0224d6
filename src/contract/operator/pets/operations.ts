// The animals in the operator interface: find, add, read, change and remove them, one or many.
import { fileMediaTypes } from "../../file-format.ts";
import { httpStatus } from "../../operation.ts";
import { limit, petId } from "../../v1/operations.ts";
import { anyErrors, bodyErrors } from "../any-operation.ts";
import type { Part } from "../part.ts";
import { petExamples } from "./examples.ts";
import { cursor, format, offered } from "./parameters.ts";
import { petSchemas } from "./schemas.ts";

const common = { scope: "operator", tag: "pets", furtherErrors: [] } as const;

const onePet = { path: "/pets/{petId}", pathParameters: { petId } } as const;

export const pets: Part<
	| ("findPets" | "addPet" | "readPet" | "changePet" | "removePet")
	| ("changePets" | "exportPets")
> = {
	tags: { pets: "The animals: find, add, change and remove them." },
	operations: {
		findPets: {
			...common,
			method: "GET",
			path: "/pets",
			summary: "Find animals",
			description:
				"Newest first. One request looks at a limited number of animals and for a limited time. As long as the reply has a `next`, there is more to look at, also if nothing was found yet.",
			query: [...offered, limit, cursor],
			success: {
				status: httpStatus.ok,
				description: "The animals that were found.",
				body: "FoundPets",
				headers: [],
			},
			errors: [...anyErrors, "invalid_parameter"],
		},
		addPet: {
			...common,
			method: "POST",
			path: "/pets",
			summary: "Add an animal",
			description:
				"As `createPet` of the interface of the catalogue, also with an `Idempotency-Key`.",
			query: [],
			body: "NewPet",
			success: {
				status: httpStatus.created,
				description: "The animal as it was added.",
				body: "Pet",
				headers: ["Location", "Idempotency-Replayed"],
				located: "readPet",
			},
			errors: [
				...anyErrors,
				...bodyErrors,
				"invalid_parameter",
				"idempotency_mismatch",
				"ids_exhausted",
			],
		},
		readPet: {
			...common,
			...onePet,
			method: "GET",
			summary: "Get an animal",
			description: "Its `ETag` is for the `If-Match` of a change.",
			query: [],
			success: {
				status: httpStatus.ok,
				description: "The animal.",
				body: "Pet",
				headers: ["ETag"],
			},
			errors: [...anyErrors, "not_found"],
		},
		changePet: {
			...common,
			...onePet,
			method: "PATCH",
			summary: "Change an animal",
			description:
				"A JSON merge patch. With `If-Match` it cannot overwrite a change that somebody else has made meanwhile.",
			query: [],
			body: "PetPatch",
			mediaType: "application/merge-patch+json",
			honoursIfMatch: true,
			success: {
				status: httpStatus.ok,
				description: "The animal as it is now.",
				body: "Pet",
				headers: ["ETag"],
			},
			errors: [
				...anyErrors,
				...bodyErrors,
				"invalid_parameter",
				"not_found",
				"precondition_failed",
				"ids_exhausted",
			],
		},
		removePet: {
			...common,
			...onePet,
			method: "DELETE",
			summary: "Remove an animal",
			description: "Its id is never used again.",
			query: [],
			honoursIfMatch: true,
			success: {
				status: httpStatus.noContent,
				description: "The animal was removed.",
				headers: [],
			},
			errors: [
				...anyErrors,
				"invalid_parameter",
				"not_found",
				"precondition_failed",
				"ids_exhausted",
			],
		},
		changePets: {
			...common,
			method: "POST",
			path: "/pets/batch",
			summary: "Change and remove many animals",
			description:
				"In one transaction: all of it is done, or nothing. An error names the index of the first entry that cannot be done. The body may have 1 MiB.",
			query: [],
			body: "PetChanges",
			success: {
				status: httpStatus.ok,
				description: "All entries were done.",
				body: "ChangedPets",
				headers: [],
			},
			errors: [
				...anyErrors,
				...bodyErrors,
				"not_found",
				"precondition_failed",
				"ids_exhausted",
			],
		},
		exportPets: {
			...common,
			method: "GET",
			path: "/pets/export",
			summary: "Export animals",
			description:
				"A file with all animals, or some of them, as they are at one moment, by ascending id. A process sends few at the same time, and aborts one that is read too slowly. `petstore export` has no such limits.",
			query: [format, ...offered],
			success: {
				status: httpStatus.ok,
				description:
					"A line for each animal. CSV has a header line, and lines that end in CRLF.",
				otherBodies: {
					[fileMediaTypes.ndjson]: { type: "string" },
					[fileMediaTypes.csv]: { type: "string" },
				},
				headers: [],
			},
			errors: [...anyErrors, "invalid_parameter"],
		},
	},
	schemas: petSchemas,
	examples: petExamples,
};
