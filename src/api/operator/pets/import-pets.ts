// importPets: adds or updates the animals of a file, all or none. One file at a time, in parts, so that other requests are served.
import { setImmediate as nextIteration } from "node:timers/promises";
import {
	cannotStage,
	dryRun,
	importFormat,
	importId,
	refuseFile,
	refuseReusedId,
	tookTooLong,
	tooManyLines,
	update,
} from "../../../contract/operator/pets/import.ts";
import { readParameter } from "../../../contract/parameter.ts";
import { toImportFailure } from "../../../contract/retry.ts";
import type { Authored } from "../../../domain/author.ts";
import {
	idsExhausted,
	OperatorError,
	overloaded,
} from "../../../domain/errors.ts";
import { toTimeText } from "../../../domain/time.ts";
import { FormatError } from "../../../formats/columns.ts";
import type { LineProblem } from "../../../formats/problem.ts";
import { readParts } from "../../../http/body.ts";
import type { Route } from "../../../http/surface.ts";
import { createStager, type ReadOptions } from "../../../imports/stage.ts";
import {
	importBodyMs,
	importWriteMs,
	maxImportBytes,
	maxImportLines,
} from "../../../limits.ts";
import { toAuthored } from "../../../operator/service.ts";
import {
	type FinishedImport,
	type ImportCounts,
	type Imported,
	type ImportProblems,
	type ImportReads,
	type Imports,
	maxListedErrors,
	type Staged,
} from "../../../store/import.ts";
import { openStaging } from "../../../store/open.ts";
import { toJsonReply } from "../replies.ts";

export function importPets(imports: Imports): Route["handle"] {
	let isRunning = false;
	return async ({ request, query, identity }) => {
		const format = readParameter(query, importFormat);
		const mode = readParameter(query, update) ? "update" : "add";
		const id = readParameter(query, importId);
		// `check` gets no function that writes.
		const finish = readParameter(query, dryRun)
			? (file: StagedFile) => check(imports, file, mode, id)
			: (file: StagedFile) =>
					write(imports, file, mode, id, toAuthored(identity));
		if (isRunning) throw overloaded;
		isRunning = true;
		try {
			const imported = await withStaged(request, { format, mode }, finish);
			return toJsonReply(toBody(imported));
		} catch (error) {
			throw error instanceof OperatorError ? cannotStage(error) : error;
		} finally {
			isRunning = false;
		}
	};
}

interface StagedFile {
	readonly staged: Staged;
	readonly contentHash: string;
	/** Problems of the lines that are not staged. */
	readonly bad: ImportProblems;
}

type Mode = "add" | "update";

/** Reads the body into a staging file. */
async function withStaged<Result>(
	request: Request,
	options: ReadOptions,
	use: (file: StagedFile) => Promise<Result>,
): Promise<Result> {
	const staging = await openStaging(options.mode);
	const errors: LineProblem[] = [];
	let count = 0;
	const stager = createStager(staging, options, (line, problems) => {
		count += problems.length;
		for (const problem of problems)
			if (errors.length < maxListedErrors) errors.push({ line, ...problem });
	});
	try {
		for await (const part of readParts(request, maxImportBytes, importBodyMs)) {
			stager.push(part);
			if (stager.line() > maxImportLines + 1) throw tooManyLines();
			// Gives other requests a turn.
			await nextIteration();
		}
		const { contentHash } = stager.end();
		const bad = { count, first: errors };
		return await use({ staged: staging, contentHash, bad });
	} catch (error) {
		if (!(error instanceof FormatError)) throw error;
		const { line, message } = error;
		throw refuseFile(1, [{ line, message }]);
	} finally {
		staging.close();
	}
}

async function check(
	imports: ImportReads,
	{ staged, contentHash, bad }: StagedFile,
	mode: Mode,
	id: string | undefined,
): Promise<Imported> {
	const isNamed = id !== undefined && bad.count === 0;
	const finished = isNamed ? await imports.find(id) : undefined;
	if (finished !== undefined)
		return {
			outcome: finished.contentHash === contentHash ? "repeated" : "reused",
			...finished,
		};
	const { problems, ...counts } = await imports.check(staged, mode);
	const count = bad.count + problems.count;
	if (count === 0) return { outcome: "done", ...counts };
	const errors = [...bad.first, ...problems.first]
		.sort((one, other) => one.line - other.line)
		.slice(0, maxListedErrors);
	throw refuseFile(count, errors, counts);
}

/** Other writers wait for the transaction, so it ends before they time out. */
async function write(
	imports: Imports,
	{ staged, contentHash, bad }: StagedFile,
	mode: Mode,
	id: string | undefined,
	authored: Authored,
): Promise<Imported> {
	if (bad.count > 0) throw refuseFile(bad.count, bad.first);
	const controller = new AbortController();
	const timer = setTimeout(
		() => controller.abort(tookTooLong()),
		importWriteMs,
	);
	try {
		return await imports.write(staged, {
			mode,
			importId: id,
			contentHash,
			authored,
			signal: controller.signal,
			onProgress() {},
			isServing: true,
		});
	} catch (error) {
		// Too few ids are left.
		if (error instanceof OperatorError) throw idsExhausted;
		throw toImportFailure(error, id);
	} finally {
		clearTimeout(timer);
	}
}

function toBody(imported: Imported): object {
	switch (imported.outcome) {
		case "done":
			return toCounts(imported);
		case "repeated":
			return toCounts({ added: 0, changed: 0, unchanged: 0 }, imported);
		case "reused":
			throw refuseReusedId();
		case "refused":
			throw refuseFile(imported.count, imported.first);
	}
}

function toCounts(
	{ added, changed, unchanged }: ImportCounts,
	finished?: FinishedImport,
): object {
	const finishedAt = finished && toTimeText(finished.finishedAt);
	return { added, changed, unchanged, errors: [], finishedAt };
}
