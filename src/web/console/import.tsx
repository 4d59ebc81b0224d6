// Imports a file: a dry run shows the outcome, then the same content is applied, all or nothing.

import { useEffect, useId } from "preact/hooks";
import { importBodyMs, maxImportBytes } from "../../limits.ts";
import {
	exchange,
	hasCode,
	timeoutMs,
	toMessage,
	toQuery,
	toRandomName,
} from "../ui/api.ts";
import { Dialog } from "../ui/dialog.tsx";
import { Form } from "../ui/form.tsx";
import {
	formatBytes,
	formatCount,
	formatTime,
	isolate,
	toShown,
} from "../ui/format.tsx";
import { Failed, reload } from "../ui/resource.tsx";
import { useSignal } from "../ui/state.ts";
import { type Column, Table } from "../ui/table.tsx";
import { sayDone } from "./changes.tsx";
import { release } from "./find.ts";

interface Counts {
	readonly added: bigint;
	readonly changed: bigint;
	readonly unchanged: bigint;
	/** When an earlier request with the same id did the import. */
	readonly finishedAt?: string;
}

interface FileError {
	readonly line: bigint;
	/** Absent if the line itself is wrong. */
	readonly field?: string;
	readonly value?: string;
	readonly message: string;
}

/** How to read the file. */
interface Options {
	/** Needed for a file with ids. */
	readonly mode?: "update" | "add";
	readonly ignoreUnknown?: boolean;
	readonly createCategories?: boolean;
}

interface ImportedFile {
	readonly name: string;
	readonly isCsv: boolean;
	readonly content: Blob;
	/** A second request with this id does nothing. */
	readonly importId: string;
	readonly options: Options;
}

/** What the dry run has found. */
interface Checked {
	readonly counts?: Counts;
	/** Why it is refused, with the first errors of the file. */
	readonly refusal?: string;
	readonly errors?: readonly FileError[];
}

const largestFile = formatBytes(maxImportBytes);
/** The service sends no more than these. */
const maxErrors = 100;

export function ImportDialog({ onClose }: { onClose: () => void }) {
	const file = useSignal<ImportedFile | undefined>(undefined);
	/** Empty during the check. */
	const checked = useSignal<Checked>({});
	const { counts, refusal, errors = [] } = checked.value;

	async function choose(files: FileList): Promise<void> {
		file.value = undefined;
		checked.value = {};
		try {
			file.value = await takeFile(files);
		} catch (error) {
			checked.value = { refusal: toMessage(error) };
		}
	}

	function set(options: Options): void {
		const now = file.value;
		if (now) file.value = { ...now, options: { ...now.options, ...options } };
	}

	async function check(
		chosen: ImportedFile,
		ending: AbortSignal,
	): Promise<void> {
		checked.value = {};
		const { mode } = chosen.options;
		const found = await importPets(chosen, true, ending)
			.then(({ reply: counts }): Checked => ({ counts }))
			.catch((error) => {
				const asksMode =
					mode === undefined && hasCode(error, "invalid_parameter");
				return asksMode ? "update" : toRefused(error);
			});
		if (ending.aborted) return;
		// The file has ids.
		if (found === "update") set({ mode: found });
		else checked.value = found;
	}

	async function apply(): Promise<void> {
		if (file.value === undefined) throw new Error("Choose a file.");
		try {
			const { reply, headers } = await importPets(file.value, false);
			release();
			reload();
			sayDone(toResult(file.value, reply), headers.get("Edit-Id"));
		} catch (error) {
			if (!hasCode(error, "invalid_file")) throw error;
			checked.value = toRefused(error);
			throw new Error("Nothing was imported.");
		}
	}

	// The file of this rendering: the effect runs later, when another one may be chosen.
	const chosen = file.value;
	useEffect(() => {
		const ending = new AbortController();
		if (chosen) void check(chosen, ending.signal);
		return () => ending.abort();
	}, [chosen]);
	return (
		<Dialog title="Import animals" onClose={onClose}>
			<Form submit="Apply" onClose={onClose} run={apply}>
				<FileField file={file.value} onChoose={choose} />
				{file.value && <OptionFields {...file.value} onChoose={set} />}
				<p role="status" class="preview">
					{file.value && !counts && !refusal && "Checking …"}
					{counts &&
						`${refusal ? "Without the lines with errors: " : ""}${toCounts(counts)}. ${refusal ? "" : "Nothing is imported yet."}`}
				</p>
				<Failed message={refusal} />
				{errors.length > 0 && <Errors errors={errors} />}
			</Form>
		</Dialog>
	);
}

interface OptionFieldsProps extends Pick<ImportedFile, "isCsv" | "options"> {
	readonly onChoose: (options: Options) => void;
}

function OptionFields({ isCsv, options, onChoose }: OptionFieldsProps) {
	const toBox = (name: "ignoreUnknown" | "createCategories", text: string) => (
		<label class="check">
			<input
				type="checkbox"
				checked={options[name] === true}
				onChange={({ currentTarget }) =>
					onChoose({ [name]: currentTarget.checked })
				}
			/>
			{text}
		</label>
	);
	return (
		<>
			{options.mode && (
				<div class="field">
					<label for="mode">The file has ids</label>
					<select
						id="mode"
						onChange={({ currentTarget: { value } }) =>
							onChoose({ mode: value === "add" ? "add" : "update" })
						}
					>
						<option value="update">Change the animals with these ids</option>
						<option value="add">Add all as new animals</option>
					</select>
				</div>
			)}
			{isCsv && toBox("ignoreUnknown", "Ignore unknown columns")}
			{isCsv && toBox("createCategories", "Make categories that do not exist")}
		</>
	);
}

interface FileFieldProps {
	readonly file: ImportedFile | undefined;
	readonly onChoose: (files: FileList) => void;
}

function FileField({ file, onChoose }: FileFieldProps) {
	const id = useId();
	return (
		<div class="field">
			<label for={id}>File</label>
			<div class="file">
				<input
					id={id}
					type="file"
					accept=".csv,.ndjson,.jsonl"
					aria-describedby={`${id}-name ${id}-hint`}
					onClick={({ currentTarget }) => {
						// Otherwise the same file could not be chosen again after a correction.
						currentTarget.value = "";
					}}
					onInput={({ currentTarget: { files } }) => {
						if (files !== null) onChoose(files);
					}}
				/>
				<span id={`${id}-name`}>
					{file === undefined
						? "Choose a file, or drop it here"
						: `${isolate(file.name)} · ${formatBytes(file.content.size)}`}
				</span>
			</div>
			<span class="hint" id={`${id}-hint`}>
				CSV or NDJSON, up to {largestFile}.
			</span>
		</div>
	);
}

/** Copies the file to memory, so that the import gets the content of the preview. Throws an error with a message for the user. */
async function takeFile(files: FileList): Promise<ImportedFile> {
	const [file] = files;
	if (file === undefined) throw new Error("Choose one file.");
	const { name, size } = file;
	const [, ending] = /\.(csv|ndjson|jsonl)$/i.exec(name) ?? [];
	if (ending === undefined)
		throw new Error(
			"The name must end in .csv, .ndjson or .jsonl. Save a spreadsheet as CSV.",
		);
	if (size > maxImportBytes)
		throw new Error(
			`The file is larger than ${largestFile}. Import it with “petstore import”.`,
		);
	const isCsv = ending.toLowerCase() === "csv";
	const type = isCsv ? "text/csv" : "application/x-ndjson";
	const bytes = await file.arrayBuffer().catch(() => {
		throw new Error("Could not read the file.");
	});
	const content = new Blob([bytes], { type });
	return { name, isCsv, content, importId: toRandomName(), options: {} };
}

/** The service takes one file at a time, so each request waits for the one before. */
let lastImport: Promise<unknown> = Promise.resolve();

function importPets(
	{ content, importId, options }: ImportedFile,
	dryRun: boolean,
	ending?: AbortSignal,
): ReturnType<typeof exchange<Counts>> {
	const once = dryRun ? { dryRun } : { importId };
	const path = `/pets/import?${toQuery({ ...options, ...once })}`;
	const done = lastImport.then(() => {
		ending?.throwIfAborted();
		return exchange<Counts>("POST", path, {
			body: content,
			isRead: dryRun,
			timeoutMs: importBodyMs + timeoutMs,
		});
	});
	lastImport = done.catch(() => {});
	return done;
}

function toRefused(error: unknown): Checked {
	const refusal = toMessage(error);
	if (!hasCode(error, "invalid_file")) return { refusal };
	const { errors, ...counts } = error.members as Partial<Counts> & Checked;
	return {
		refusal,
		...(errors && { errors }),
		...("added" in counts && { counts: counts as Counts }),
	};
}

/** For the message after an import. */
function toResult({ name }: ImportedFile, done: Counts): string {
	return done.finishedAt === undefined
		? `Imported ${isolate(name)}: ${toCounts(done)}.`
		: `${isolate(name)} was already imported: ${formatTime(done.finishedAt)}.`;
}

function toCounts({ added, changed, unchanged }: Counts): string {
	return `${formatCount(added)} new, ${formatCount(changed)} changed, ${formatCount(unchanged)} unchanged`;
}

function Errors({ errors }: { errors: readonly FileError[] }) {
	return (
		<>
			{/* biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard. */}
			<section class="errors" aria-label="Errors" tabIndex={0}>
				<Table
					class="lines"
					rows={errors}
					columns={errorColumns}
					toKey={({ line, field }) => `${line} ${field}`}
				/>
				{errors.length === maxErrors && (
					<p class="hint">Only the first {maxErrors} errors are listed.</p>
				)}
			</section>
			<p>Correct the file and choose it again.</p>
		</>
	);
}

const errorColumns: readonly Column<FileError>[] = [
	{ title: "Line", kind: "head", cell: ({ line }) => formatCount(line) },
	{ title: "Field", cell: ({ field }) => field },
	{ title: "Value", cell: ({ value }) => <bdi>{toShown(value ?? "")}</bdi> },
	{ title: "Rule", kind: "block", cell: ({ message }) => message },
];
