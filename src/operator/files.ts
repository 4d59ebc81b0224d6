// Files of animals for operators: import and export. The commands `petstore import` and `petstore export` do the same.
import { setImmediate as nextIteration } from "node:timers/promises";
import { withTimeout } from "../async/waiting.ts";
import {
	Failure,
	idsExhausted,
	OperatorError,
	overloaded,
	restate,
	storeUnavailable,
	unavailable,
} from "../domain/errors.ts";
import {
	excelMediaType,
	type FileFormat,
	fileFormats,
	fileMediaTypes,
} from "../domain/file-format.ts";
import { filters, type PetFilter } from "../domain/filter.ts";
import { toCountText, toLimitText, toQuantity } from "../domain/quantity.ts";
import {
	anyText,
	flag,
	formed,
	list,
	object,
	oneOf,
	optional,
	time,
	whole,
	withDefault,
	withExample,
} from "../domain/type.ts";
import { toWriter } from "../formats/writer.ts";
import { readParts } from "../http/body.ts";
import { SlowClient, toPartStream } from "../http/part-stream.ts";
import { Answer } from "../interface/operation.ts";
import {
	httpExportRows,
	importBodyMs,
	importWriteMs,
	maxHttpImportAnimals,
	maxImportBytes,
	operatorAnswerMs,
} from "../limits.ts";
import type { PetSnapshot } from "../store/export.ts";
import { type Imports, maxListedErrors } from "../store/import.ts";
import { type ImportedFile, importFile, requireCsv } from "./import-file.ts";
import {
	type OperatorResource,
	type OperatorService,
	operation,
	toAuthored,
} from "./service.ts";

const scope = "operator";

const format = withDefault(
	oneOf("The format of the file.", fileFormats),
	"ndjson",
);

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
			{ minLength: 1, maxLength: 128 },
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

const FileErrors = list(FileError, maxListedErrors);

const importPets = operation({
	method: "POST",
	path: "/pets/import",
	scope,
	summary: "Import animals",
	description: `Adds or updates the animals of a file in one transaction: all or none. The body is the file: up to ${toLimitText(maxImportBytes)} and ${toCountText(maxHttpImportAnimals)} animals, in the forms that \`petstore import\` reads. A process imports one file at a time.`,
	query: { format, ...importFlags },
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
	async handle(asked, { store, transfers }, { request, identity }) {
		if (transfers.imports > 0) throw overloaded;
		transfers.imports++;
		const controller = new AbortController();
		const write = async <Done>(use: (imports: Imports) => Promise<Done>) => {
			const tooLong = () => controller.abort(tookTooLong());
			const timer = setTimeout(tooLong, importWriteMs);
			return use(store.imports)
				.catch((error) => {
					throw toWriteFailure(error, asked.importId);
				})
				.finally(() => clearTimeout(timer));
		};
		try {
			const imported = await importFile(
				readParts(request, maxImportBytes, importBodyMs),
				{
					...asked,
					maxAnimals: maxHttpImportAnimals,
					authored: toAuthored(identity),
					signal: controller.signal,
					onProgress() {},
					isServing: true,
				},
				{ read: (use) => use(store.imports), write },
			);
			return toReply(imported);
		} catch (error) {
			throw error instanceof OperatorError ? cannotStage(error) : error;
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

/** Other writers wait for the transaction, so it ends before they time out. */
function tookTooLong(): Failure {
	return unavailable(
		`The import did not finish within ${importWriteMs / 1000} seconds, and nothing was done. Try again, or import fewer animals at once.`,
	);
}

/** It may be repeated with an import id. */
function toWriteFailure(error: unknown, importId: string | undefined): unknown {
	// Too few ids are left.
	if (error instanceof OperatorError) return idsExhausted;
	const mayRepeat = importId !== undefined;
	const next = mayRepeat
		? "repeat the request with the same importId."
		: "look before you repeat it. With an importId the request could be repeated safely.";
	return restate(
		error,
		"The store cannot answer now. This request changed nothing; try again.",
		`It is not known whether the file was imported: all of it was, or nothing; ${next}`,
		{ mayRepeat },
	);
}

/** The cause names a folder of the server, so only the log has it. */
function cannotStage(cause: OperatorError): Failure {
	return unavailable(
		"The service cannot write the temporary file of an import. Nothing was done; its log has the reason.",
		cause,
	);
}

/** The parameters of an export, and flags of its command. */
export const exportFlags = {
	excel: withDefault(
		flag(
			"Writes the CSV file for Excel: UTF-16 with a byte order mark, and tabs between the fields. It needs the format csv.",
		),
		false,
	),
	status: filters.status,
	categoryId: filters.categoryId,
	name: filters.name,
};

const exportPets = operation({
	method: "GET",
	path: "/pets/export",
	scope,
	summary: "Export animals",
	description:
		"A file with all animals, or some of them, as they are at one moment, by ascending id. A process sends few exports at the same time, and aborts one that is read too slowly. `petstore export` has neither limit.",
	query: { format: withExample(format, "csv"), ...exportFlags },
	status: 200,
	fileReply: {
		[fileMediaTypes.ndjson]: "A line for each animal.",
		[fileMediaTypes.csv]:
			"A header line, and a line for each animal. Lines end in CRLF.",
		[excelMediaType]: "The same for Excel.",
	},
	command: false,
	async handle({ format, excel, ...filter }, service, { request }) {
		const toFile = toExport(format, excel);
		const headers = {
			"Content-Disposition": `attachment; filename="pets.${format}"`,
			"Content-Type": excel ? excelMediaType : fileMediaTypes[format],
		};
		const body =
			request.method === "HEAD"
				? new ReadableStream<Uint8Array>()
				: await streamExport(service, filter, toFile);
		return new Answer(undefined, headers, body);
	},
});

/** Concurrent exports of a process over HTTP, and the longest time of each. */
const maxHttpExports = 2;
const httpExportMs = 10 * 60_000;
/** A client must read each part, up to about 160 KiB, within this time. */
const exportPartMs = 10_000;

type ExportService = Pick<OperatorService, "store" | "transfers"> & {
	readonly running?: Pick<NonNullable<OperatorService["running"]>, "report">;
};

/** Limits their number and time, since an open snapshot costs the database. */
export async function streamExport(
	{ store, transfers, running }: ExportService,
	filter: PetFilter,
	toFile: ToFile,
	{ totalMs = httpExportMs, partMs = exportPartMs } = {},
): Promise<ReadableStream<Uint8Array>> {
	if (transfers.exports >= maxHttpExports) throw overloaded;
	transfers.exports++;
	const opening = store.exports.open(filter);
	const snapshot = await withTimeout(
		operatorAnswerMs,
		opening,
		storeUnavailable,
	).catch((error) => {
		transfers.exports--;
		opening.then(({ close }) => close()).catch(() => {});
		throw error;
	});
	const deadline = performance.now() + totalMs;
	const parts = toFile(snapshot, httpExportRows, () => {
		if (performance.now() > deadline || snapshot.mustEndSoon())
			throw new SlowClient();
	});
	return toPartStream(
		async () => (await parts.next()).value,
		partMs,
		(error) => {
			transfers.exports--;
			snapshot.close().catch(() => {});
			// The status was sent already, so nothing else says why the client got a part.
			if (error !== undefined)
				running?.report(error, "an export was not completed");
		},
	);
}

/** The bytes of a file. `onPage` is called before each page with the number of animals so far. */
export type ToFile = (
	snapshot: PetSnapshot,
	/** Animals that are read at once. */
	rows: number,
	onPage: (count: number) => void,
) => AsyncGenerator<Uint8Array, undefined>;

export function toExport(format: FileFormat, excel: boolean): ToFile {
	requireCsv(format, "excel", excel);
	const { head, toBytes } = toWriter(format, excel);
	return async function* (snapshot, rows, onPage) {
		if (head.length > 0) yield head;
		for (let count = 0; ; ) {
			// Gives other requests a turn.
			await nextIteration();
			onPage(count);
			const page = await snapshot.next(rows);
			if (page === undefined) return undefined;
			count += page.pets.length;
			if (page.pets.length > 0) yield toBytes(page.pets);
		}
	};
}

export const files: OperatorResource = {
	tag: "pets",
	description: "The animals: find, add, change and remove them.",
	operations: { exportPets, importPets },
};
