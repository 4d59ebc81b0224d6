// importPets: its operation, parameters and refusals.
import {
	Failure,
	failing,
	type OperatorError,
	unavailable,
} from "../../../domain/errors.ts";
import { fileFormats, fileMediaTypes } from "../../../domain/file-format.ts";
import {
	toCountText,
	toLimitText,
	toQuantity,
} from "../../../domain/quantity.ts";
import {
	importWriteMs,
	maxImportBytes,
	maxImportLines,
} from "../../../limits.ts";
import { toOperation } from "../../operation.ts";
import { flag, oneOf, parameter, withDefault } from "../../parameter.ts";
import { list, object, text, time, whole32 } from "../../schemas.ts";

export const importFormat = withDefault(
	oneOf({
		name: "format",
		description: "The format of the file.",
		values: fileFormats,
	}),
	"ndjson",
);

export const update = flag(
	"update",
	"Lines with an id change that animal, and lines without one add an animal. Otherwise all lines add animals, and ids are ignored.",
);

export const dryRun = flag(
	"dryRun",
	"Only says what the import would do. Nothing is written. If the file has errors, the reply also counts the animals of the other lines.",
);

export const importId = parameter(
	{
		name: "importId",
		description:
			"The name of this import: a second request with the same name and the same file does nothing. Its reply has `finishedAt`.",
		schema: { type: "string", minLength: 1, maxLength: 128 },
	},
	"must be 1 to 128 visible characters",
	toImportId,
);

/** Undefined if the text is not a valid import id. */
export function toImportId(text: string): string | undefined {
	return /^[^\p{C}\p{Z}]{1,128}$/u.test(text) ? text : undefined;
}

export interface FileError {
	readonly line: number;
	readonly field?: string;
	readonly value?: string;
	readonly message: string;
}

/** `counts` is of the correct lines. */
export function refuseFile(
	count: number,
	errors: readonly FileError[],
	counts: Readonly<Record<string, number>> = {},
): Failure {
	const members = Object.entries({ ...counts, errors }).map(
		([name, value]) => [name, JSON.stringify(value)] as const,
	);
	return new Failure(
		"invalid_file",
		`The file has ${count === 1 ? "an error" : toQuantity(count, "error")}. Nothing was done.`,
		{ members: Object.fromEntries(members) },
	);
}

export const refuseReusedId = failing(
	"conflict",
	"The importId was used for another file. Nothing was done.",
);

export const tooManyLines = failing(
	"payload_too_large",
	`The file must not have more than ${toCountText(maxImportLines)} lines. Use "petstore import" for larger files.`,
);

export function tookTooLong(): Failure {
	return unavailable(
		`The import did not finish within ${importWriteMs / 1000} seconds, and nothing was done. Try again, or import fewer animals at once.`,
	);
}

/** The cause names a folder of the server, so only the log has it. */
export function cannotStage(cause: OperatorError): Failure {
	return unavailable(
		"The service cannot write the temporary file of an import. Nothing was done; its log has the reason.",
		cause,
	);
}

export const importPets = toOperation({
	scope: "operator",
	tag: "pets",
	path: "/pets/import",
	method: "POST",
	summary: "Import animals",
	description: `Adds or updates the animals of a file in one transaction: all or none. The body is the file: up to ${toLimitText(maxImportBytes)} and ${toCountText(maxImportLines)} lines, in the forms that \`petstore import\` reads. A process imports one file at a time.`,
	query: [importFormat, update, dryRun, importId],
	file: {
		[fileMediaTypes.ndjson]: '{"name":"Rex","categoryId":1}\n',
		[fileMediaTypes.csv]: "name,categoryId\nRex,1\n",
	},
	success: {
		description: "Everything was done, or would be done by a dry run.",
		body: "ImportedPets",
		example: { added: 1, changed: 0, unchanged: 0, errors: [] },
	},
	errors: [
		"invalid_parameter",
		"request_timeout",
		"conflict",
		"payload_too_large",
		"unsupported_media_type",
		"invalid_file",
		"ids_exhausted",
	],
});

export const importSchemas = {
	ImportedPets: object(
		"What an import did. Nothing if it has errors.",
		{
			added: whole32("Animals that were added."),
			changed: whole32("Animals that were changed."),
			unchanged: whole32("Animals that were already as the file says."),
			errors: list("FileError", 100),
		},
		{
			finishedAt: time(
				"When an earlier request with the same importId did the import. Absent otherwise.",
			),
		},
	),
	FileError: object(
		"A rule that a line of the file breaks.",
		{
			line: whole32("The line, from 1."),
			message: text("The rule."),
		},
		{
			field: text("The column or member. Absent if the line itself is wrong."),
			value: text(
				"The value, cut after 40 characters. Absent if the line has none.",
			),
		},
	),
};
