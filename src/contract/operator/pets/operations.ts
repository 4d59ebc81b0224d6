// Files of animals in the operator interface, and examples of animals.
import { type ErrorCode, failing } from "../../../domain/errors.ts";
import {
	excelMediaType,
	fileFormats,
	fileMediaTypes,
} from "../../../domain/file-format.ts";
import { filters } from "../../filter.ts";
import { operationsOf, type Part } from "../../operation.ts";
import { flag, oneOf, withDefault } from "../../parameter.ts";
import { int64 } from "../../schemas.ts";
import { importPets, importSchemas } from "./import.ts";

export const offered = [filters.status, filters.categoryId, filters.name];

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

export const files = {
	tags: { pets: "The animals: find, add, change and remove them." },
	operations: {
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
	schemas: importSchemas,
} satisfies Part;
