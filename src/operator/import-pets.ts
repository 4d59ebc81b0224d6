// importPets: the animals of a file, all of them or none. `petstore import` does the same.
import { Failure, overloaded, unavailable } from "../domain/errors.ts";
import { fileFormat, fileMediaTypes } from "../domain/file-format.ts";
import { list, object } from "../domain/object.ts";
import { toCountText, toLimitText, toQuantity } from "../domain/quantity.ts";
import { anyText, flag, formed, time, whole } from "../domain/scalar.ts";
import { optional, withDefault } from "../domain/type.ts";
import { readParts } from "../http/body.ts";
import { Answer } from "../interface/operation.ts";
import { importBodyMs, longWriteMs, maxImportBytes } from "../limits.ts";
import { type Imports, maxListedErrors } from "../store/import.ts";
import type { ImportedFile } from "./import-file.ts";
import { operation, toAuthored, toEditHeader } from "./operation.ts";

/** Animals of that file: few enough for SQLite to write within `longWriteMs`. Use the command for larger files. */
export const maxHttpImportAnimals = 100_000;

/** The parameters of an import, and flags of its command. */
export const importFlags = {
	update: withDefault(
		flag(
			"Lines with an id change that animal, and lines without one add an animal. Otherwise all lines add animals, and ids are ignored.",
		),
		false,
	),
	dryRun: withDefault(
		flag(
			"Only says what the import would do. Nothing is written. If the file has errors, the reply also counts the animals of the other lines.",
		),
		false,
	),
	importId: optional(
		formed(
			"The name of this import: a second request with the same name and the same file does nothing. Its reply has `finishedAt`.",
			/^[^\p{C}\p{Z}]{1,128}$/u,
			"must be 1 to 128 visible characters",
			{
				minLength: 1,
				maxLength: 128,
				pattern: "^[^\\s\\x00-\\x1f\\x7f-\\x9f]*$",
			},
		),
	),
	ignoreUnknown: withDefault(
		flag("Skips unknown columns of a CSV file, which are errors otherwise."),
		false,
	),
};

const FileError = object(
	"FileError",
	"A rule that a line of the file breaks.",
	{
		line: whole("The line, from 1."),
		message: anyText("The rule."),
		field: optional(
			anyText("The column or member. Absent if the line itself is wrong."),
		),
		value: optional(
			anyText(
				"The value, cut after 40 characters. Absent if the line has none.",
			),
		),
	},
);

export const FileErrors = list(FileError, maxListedErrors);

export const importPets = operation({
	method: "POST",
	path: "/pets/import",
	scope: "operator",
	summary: "Import animals",
	description: `Adds or updates the animals of a file in one transaction: all or none. The body is the file: up to ${toLimitText(maxImportBytes)} and ${toCountText(maxHttpImportAnimals)} animals, in the forms that \`petstore import\` reads. A process imports one file at a time.`,
	query: { format: fileFormat, ...importFlags },
	file: {
		[fileMediaTypes.ndjson]: '{"name":"Rex","categoryId":1}\n',
		[fileMediaTypes.csv]: "name,categoryId\nRex,1\n",
	},
	reply: object(
		"ImportedPets",
		"What an import did. Nothing if it has errors.",
		{
			added: whole("Animals that were added."),
			changed: whole("Animals that were changed."),
			unchanged: whole("Animals that were already as the file says."),
			errors: FileErrors,
			finishedAt: optional(
				time(
					"When an earlier request with the same importId did the import. Absent otherwise.",
				),
			),
		},
	),
	headers: ["Edit-Id"],
	errors: [
		"request_timeout",
		"conflict",
		"payload_too_large",
		"unsupported_media_type",
		"invalid_file",
		"ids_exhausted",
	],
	example: { reply: { added: 1, changed: 0, unchanged: 0, errors: [] } },
	command: false,
	async handle(asked, { store, transfers }, { request, identity, source }) {
		if (transfers.imports > 0) throw overloaded;
		transfers.imports++;
		const controller = new AbortController();
		const write = async <Done>(use: (imports: Imports) => Promise<Done>) => {
			source.allowIdle(request, longWriteMs);
			const tooLong = () => controller.abort(tookTooLong());
			const timer = setTimeout(tooLong, longWriteMs);
			return use(store.imports).finally(() => clearTimeout(timer));
		};
		try {
			// Loaded only now, since it is large.
			const { importFile } = await import("./import-file.ts");
			const imported = await importFile(
				readParts(request, maxImportBytes, importBodyMs),
				{
					...asked,
					maxAnimals: maxHttpImportAnimals,
					authored: toAuthored(identity),
					signal: controller.signal,
					onProgress() {},
				},
				{ read: (use) => use(store.imports), write },
			);
			const edit = imported.outcome === "done" ? imported.edit : undefined;
			return new Answer(toReply(imported), toEditHeader(edit));
		} finally {
			transfers.imports--;
		}
	},
});

function toReply(imported: ImportedFile) {
	switch (imported.outcome) {
		case "done": {
			const { added, changed, unchanged } = imported;
			return { added, changed, unchanged, errors: [], finishedAt: undefined };
		}
		case "repeated": {
			const { finishedAt } = imported;
			return { added: 0, changed: 0, unchanged: 0, errors: [], finishedAt };
		}
		case "reused":
			throw new Failure(
				"conflict",
				"The importId was used for another file. Nothing was done.",
			);
		case "refused":
			throw refuseFile(imported);
	}
}

function refuseFile({ count, first, counts }: RefusedFile): Failure {
	const errors = first.map(({ line, message, field, value }) => ({
		line,
		message,
		field,
		value,
	}));
	const members = Object.entries({ ...counts }).map(
		([name, value]) => [name, String(value)] as const,
	);
	return new Failure(
		"invalid_file",
		`The file has ${count === 1 ? "an error" : toQuantity(count, "error")}. Nothing was done.`,
		{
			members: {
				...Object.fromEntries(members),
				errors: FileErrors.write(errors),
			},
		},
	);
}

type RefusedFile = Extract<ImportedFile, { readonly outcome: "refused" }>;

function tookTooLong(): Failure {
	return unavailable(
		`The import did not finish within ${longWriteMs / 1000} seconds, and nothing was done. Use the command for large files.`,
	);
}
