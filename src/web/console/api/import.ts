// Imports a file of animals, all or none, with the operator interface.
import type { FileFormat } from "../../../domain/file-format.ts";
import { importBodyMs } from "../../../limits.ts";
import type { Api } from "./api.ts";
import { hasCode } from "./error.ts";
import { toQuery } from "./pets.ts";
import { consoleTimeoutMs } from "./request.ts";
import { list, number, object, optional, text, time } from "./values.ts";

export interface ImportedFile {
	readonly name: string;
	readonly format: FileFormat;
	readonly content: Blob;
	/** A second request with this id does nothing. */
	readonly importId: string;
}

const toDone = object({
	added: number,
	changed: number,
	unchanged: number,
	/** When an earlier request with the same id did the import. */
	finishedAt: optional(time),
});

const toFileErrors = list(
	object({
		line: number,
		/** Undefined if the line itself is wrong. */
		field: optional(text),
		value: optional(text),
		message: text,
	}),
);

export type Done = ReturnType<typeof toDone>;
export type FileErrors = ReturnType<typeof toFileErrors>;
export type Outcome =
	| ({ readonly kind: "done" } & Done)
	| {
			readonly kind: "refused";
			readonly message: string;
			/** For the lines without errors; undefined if the file cannot be read. */
			readonly counts: Done | undefined;
			/** The first 100 of the file; none if the request failed for another reason. */
			readonly errors: FileErrors;
	  };

/** A dry run says what the import would do. */
export async function importPets(
	{ send }: Api,
	{ format, content, importId }: ImportedFile,
	isUpdate: boolean,
	isDryRun: boolean,
	ending?: AbortSignal,
): Promise<Outcome> {
	const query = toQuery({
		format,
		update: String(isUpdate),
		...(isDryRun ? { dryRun: "true" } : { importId }),
	});
	try {
		const reply = await send("POST", `/pets/import?${query}`, {
			body: content,
			isRead: isDryRun,
			ending,
			timeoutMs: importBodyMs + consoleTimeoutMs,
		});
		return { kind: "done", ...toDone(reply) };
	} catch (error) {
		if (!hasCode(error, "invalid_file")) throw error;
		const { message, members } = error;
		const errors = toFileErrors(members.errors, "errors");
		const counts = "added" in members ? toDone(members) : undefined;
		return { kind: "refused", message, errors, counts };
	}
}
