// importPets: the animals of a file, all of them or none. `petstore import` does the same.
import { Failure } from "../domain/errors.ts";
import {
	type FileFormat,
	fileFormat,
	fileFormats,
	fileMediaTypes,
} from "../domain/pet/file-format.ts";
import { toCountText, toQuantity, toSizeText } from "../domain/quantity.ts";
import { formed, oneOf, toSwitch } from "../domain/types/scalar.ts";
import { optional, withDescription } from "../domain/types/type.ts";
import { importModes } from "../formats/pet.ts";
import { readParts } from "../http/body.ts";
import { Answer } from "../interface/operation.ts";
import {
	FileErrors,
	IgnoredMembers,
	ImportedPets,
	maxNames,
} from "../interface/replies.ts";
import { maxImportBytes } from "../limits.ts";
import { collecting } from "../program.ts";
import type { ImportCounts } from "../store/files/import.ts";
import type { FileImport, ImportedFile } from "./import-file.ts";
import { operation, toAuthored, toEditHeader, writeLong } from "./operation.ts";

/** Animals of that file: few enough for SQLite to write within `longWriteMs`. Use the command for larger files. */
export const maxHttpImportAnimals = 100_000;

/** The time for the upload of the file. */
const bodyMs = 60_000;

/** The parameters of an import, and flags of its command. */
export const importFlags = {
	dryRun: toSwitch(
		"Only says what the import would do. Nothing is written. If the file has errors, the reply also counts the animals of the other lines.",
	),
	importId: optional(
		formed(
			"The name of this import: a second request with the same name and the same file does nothing. Its reply has `finishedAt`.",
			/^[^\p{Cc}\p{Cf}\p{Cs}\p{Z}]{1,128}$/u,
			"must be 1 to 128 visible characters",
			{
				minLength: 1,
				maxLength: 128,
				pattern: "^[^\\s\\x00-\\x1f\\x7f-\\x9f]*$",
			},
		),
	),
	ignoreUnknown: toSwitch("Skips unknown columns of a CSV file."),
	createCategories: toSwitch(
		"Makes unknown categories that the column `category` of a CSV file names.",
	),
};

export const importPets = operation({
	method: "POST",
	path: "/pets/import",
	summary: "Import animals",
	description: `Adds or updates the animals of a file in one transaction: all or none. The body is the file: up to ${toSizeText(maxImportBytes)} and ${toCountText(maxHttpImportAnimals)} animals, in the forms that \`petstore import\` reads. A process imports one file at a time.`,
	query: {
		mode: optional(
			oneOf(
				"Needed for a file with ids. `update`: lines with an id change that animal, and lines without one add an animal. `add`: all lines add animals, and ids are ignored.",
				importModes,
			),
		),
		format: optional(withDescription(fileFormat, "Without a Content-Type.")),
		...importFlags,
	},
	file: {
		[fileMediaTypes.ndjson]: '{"name":"Rex","categoryId":1}\n',
		[fileMediaTypes.csv]: "name,categoryId\nRex,1\n",
	},
	reply: ImportedPets,
	headers: ["Edit-Id"],
	errors: [
		"invalid_body",
		"request_timeout",
		"conflict",
		"payload_too_large",
		"unsupported_media_type",
		"invalid_file",
		"ids_exhausted",
	],
	command: false,
	async handle({ format, ...asked }, { store, running }, call) {
		const { request, identity } = call;
		const file: FileImport = {
			...asked,
			format: readFormat(request.headers, format),
			maxAnimals: maxHttpImportAnimals,
			authored: toAuthored(identity),
			toName: (option) =>
				importModes.some((mode) => mode === option) ? `mode=${option}` : option,
			onProgress() {},
		};
		running?.imports.take();
		try {
			// Loaded only now, since it is large.
			const { importFile } = await import("./import-file.ts");
			const imported = await collecting(() =>
				importFile(readParts(request, maxImportBytes, bodyMs), file, (use) =>
					writeLong(
						call,
						(signal) => use(store.imports, signal),
						"petstore import",
					),
				),
			);
			const edit = imported.outcome === "done" ? imported.edit : undefined;
			return new Answer(toReply(imported), toEditHeader(edit));
		} finally {
			running?.imports.free();
		}
	},
});

/** The Content-Type decides. */
function readFormat(
	headers: Headers,
	asked: FileFormat | undefined,
): FileFormat {
	const [type] = (headers.get("content-type") ?? "").toLowerCase().split(";");
	const found = fileFormats.find((one) => type?.trim() === mediaTypes[one]);
	if (type !== "" && found === undefined)
		throw new Failure(
			"unsupported_media_type",
			`Content-Type must be ${Object.values(mediaTypes).join(" or ")}.`,
		);
	const format = found ?? asked;
	if (format !== undefined && format === (asked ?? format)) return format;
	throw new Failure(
		"invalid_parameter",
		format === undefined
			? "format is required without a Content-Type."
			: `format must be ${format}, as the Content-Type says.`,
	);
}

/** Without their parameters. */
const mediaTypes = { csv: "text/csv", ndjson: "application/x-ndjson" } as const;

function toReply(imported: ImportedFile) {
	const { ignored } = imported;
	const members = { ignored, errors: [], finishedAt: undefined };
	switch (imported.outcome) {
		case "done":
			return { ...members, ...toListed(imported) };
		case "repeated":
			return { ...members, ...nothing, finishedAt: imported.finishedAt };
		case "refused":
			throw refuseFile(imported);
	}
}

const nothing = {
	...{ added: 0, changed: 0, unchanged: 0, blankNames: 0 },
	createdCategories: [],
};

function toListed({ createdCategories, ...counts }: ImportCounts) {
	const names = createdCategories.slice(0, maxNames);
	return { ...counts, createdCategories: names };
}

function refuseFile({ count, first, counts, ignored }: RefusedFile): Failure {
	const absent = { field: undefined, value: undefined };
	const errors = first.map((one) => ({ ...absent, ...one }));
	const counted = Object.entries(counts ? toListed(counts) : {}).map(
		([name, value]) => [name, JSON.stringify(value)],
	);
	const members = {
		...Object.fromEntries(counted),
		errors: FileErrors.write(errors),
		ignored: IgnoredMembers.write(ignored),
	};
	const found = count === 1 ? "an error" : toQuantity(count, "error");
	const message = `The file has ${found}. Nothing was done.`;
	return new Failure("invalid_file", message, { members });
}

type RefusedFile = Extract<ImportedFile, { readonly outcome: "refused" }>;
