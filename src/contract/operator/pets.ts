// The animals in the operator interface.
import { anyRead, error } from "../examples.ts";
import { httpStatus } from "../operation.ts";
import { int64, schemas } from "../schemas.ts";
import type { Part } from "./part.ts";

const petId = {
	description: "The id of the animal.",
	schema: int64,
	example: 1,
};

const rex = { id: 1, name: "Rex", categoryId: 1, status: "available" };

const { Pet, PetStatus } = schemas;

export const pets: Part<"readPet"> = {
	tags: { pets: "The animals: find, add, change and remove them." },
	operations: {
		readPet: {
			method: "GET",
			path: "/pets/{petId}",
			scope: "operator",
			tag: "pets",
			summary: "Get an animal",
			description: "Its `ETag` is for the `If-Match` of a change.",
			pathParameters: { petId },
			query: [],
			success: {
				status: httpStatus.ok,
				description: "The animal.",
				body: "Pet",
				headers: ["ETag"],
			},
			errors: [
				"unauthenticated",
				"forbidden",
				"not_found",
				"rate_limited",
				"internal",
				"unavailable",
			],
			furtherErrors: [],
		},
	},
	schemas: { PetStatus, Pet },
	examples: {
		readPet: {
			success: { animal: rex },
			errors: {
				...anyRead,
				forbidden: {
					readKey: error(
						"forbidden",
						"The API key needs the scope operator; its scope is read.",
					),
				},
				not_found: {
					noAnimal: error("not_found", "There is no animal with this petId."),
				},
			},
		},
	},
};
