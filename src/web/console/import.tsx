// Imports a file: a dry run shows the outcome, then the same content is applied, all or nothing.

import { signal } from "@preact/signals";
import { toCountText, toQuantity, toSizeText } from "../../domain/quantity.ts";
import { toQuery } from "../../domain/text.ts";
import type { ImportedPets as Counts } from "../../interface/replies.ts";
import { maxImportBytes } from "../../limits.ts";
import { hasCode, toMessage, toRandomName } from "../ui/api.ts";
import { Field } from "../ui/field.tsx";
import { ask } from "../ui/form.tsx";
import { isolate, toShown } from "../ui/format.tsx";
import { Failed } from "../ui/resource.tsx";
import { type Column, Table } from "../ui/table.tsx";
import { sayDone, sendEdit } from "./changes.tsx";

type FileError = Counts["errors"][number];

interface ImportedFile {
	readonly name: string;
	readonly isCsv: boolean;
	readonly content: Blob;
	/** A second request with this id does nothing. */
	readonly importId: string;
	/** How to read it. A file with ids needs a `mode`. */
	readonly options: Readonly<Record<string, unknown>>;
}

interface Checked {
	/** Without what follows, it is being checked. */
	readonly file?: ImportedFile;
	readonly counts?: Counts | undefined;
	/** Why it is refused, with the first errors of the file. */
	readonly refusal?: string;
	readonly errors?: readonly FileError[];
	/** Members of the file that are not read. */
	readonly ignored?: Counts["ignored"];
	/** Whether it needs a mode. */
	readonly hasIds?: boolean;
}

const checked = signal<Checked>({});

export function askForFile(): void {
	checked.value = {};
	ask({
		title: "Import animals",
		submit: "Apply",
		fields: {
			file: {
				label: "File",
				hint: `CSV or NDJSON, up to ${toSizeText(maxImportBytes)}.`,
				input: {
					type: "file",
					accept: ".csv,.ndjson,.jsonl",
					onClick({ currentTarget }) {
						// Otherwise the same file could not be chosen again after a correction.
						currentTarget.value = "";
					},
					onChange({ currentTarget: { files } }) {
						if (files?.[0]) void choose(files[0]);
					},
				},
			},
		},
		Content: Preview,
		run: apply,
	});
}

function Preview() {
	const { file, counts, refusal, errors = [], ignored = [] } = checked.value;
	return (
		<>
			{file && <Options key={file.importId} {...file} />}
			<p role="status" class="preview">
				{file && !counts && !refusal && "Checking …"}
				{counts &&
					`${toCounts(counts)}.${toNewNames(counts)}${toBlankNote(counts)} Nothing is imported yet.`}
			</p>
			<Failed message={refusal && toWords(refusal)} />
			{ignored.length > 0 && <p>{toIgnored(ignored)}</p>}
			{errors.length > 0 && (
				<>
					{/* biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard. */}
					<section class="errors" aria-label="Errors" tabIndex={0}>
						<Table
							class="lines"
							rows={errors}
							columns={errorColumns}
							toKey={({ line, field }) => `${line} ${field}`}
						/>
					</section>
					<p>Correct the file and choose it again.</p>
				</>
			)}
		</>
	);
}

/** Parameters of the request. */
function Options(file: ImportedFile) {
	return (
		<fieldset
			class="form"
			onChange={({ target: own }) => {
				const isBox = own instanceof HTMLInputElement;
				if (!isBox && !(own instanceof HTMLSelectElement)) return;
				const given = {
					[own.name]: isBox ? own.checked || undefined : own.value,
				};
				void check({ ...file, options: { ...file.options, ...given } });
			}}
		>
			{file.options.mode && (
				<Field
					name="mode"
					label="The file has ids"
					options={[
						["update", "Change the animals with these ids"],
						["add", "Add all as new animals"],
					]}
				/>
			)}
			{file.isCsv &&
				[
					["ignoreUnknown", "Ignore unknown columns"],
					["createCategories", "Make categories that do not exist"],
				].map(([name, text]) => (
					<label key={name} class="check">
						<input type="checkbox" name={name} />
						{text}
					</label>
				))}
		</fieldset>
	);
}

async function choose(file: File): Promise<void> {
	const { name, size } = file;
	const [, ending] = /\.(csv|ndjson|jsonl)$/i.exec(name) ?? [];
	const isCsv = ending?.toLowerCase() === "csv";
	const type = isCsv ? "text/csv" : "application/x-ndjson";
	const refusal =
		ending === undefined
			? "The name must end in .csv, .ndjson or .jsonl. Save a spreadsheet as CSV."
			: size > maxImportBytes &&
				`The file is larger than ${toSizeText(maxImportBytes)}. Import it with “petstore import”.`;
	if (refusal) checked.value = { refusal };
	else {
		// In memory, so that the import gets the content of the preview.
		const content = new Blob([await file.arrayBuffer()], { type });
		const importId = toRandomName();
		await check({ name, isCsv, content, importId, options: {} });
	}
}

async function check(file: ImportedFile): Promise<void> {
	checked.value = { file };
	const found = await importPets(file, { dryRun: true }).then(
		({ reply }): Checked => ({ counts: reply, ignored: reply.ignored }),
		toRefused,
	);
	// Meanwhile the user may have chosen another one.
	if (checked.value.file !== file) return;
	const { options } = file;
	if (found.hasIds && !options.mode)
		await check({ ...file, options: { ...options, mode: "update" } });
	else checked.value = { file, ...found };
}

async function apply(): Promise<void> {
	const { file } = checked.value;
	if (file === undefined) throw new Error("Choose a file.");
	try {
		const { importId } = file;
		const { reply, edit } = await importPets(file, { importId });
		const outcome = reply.finishedAt
			? " was already imported"
			: `: ${toCounts(reply)}`;
		sayDone(`Imported ${isolate(file.name)}${outcome}.`, edit);
	} catch (error) {
		if (!hasCode(error, "invalid_file")) throw error;
		checked.value = { file, ...toRefused(error) };
		throw new Error("Nothing was imported.");
	}
}

/** The service takes one file at a time, so each request waits for the one before. */
let last: Promise<unknown> = Promise.resolve();

function importPets({ content, options }: ImportedFile, how: object) {
	const path = `/pets/import?${toQuery({ ...options, ...how })}`;
	const done = last.then(() => sendEdit<Counts>(path, content));
	last = done.catch(() => {});
	return done;
}

function toRefused(error: unknown): Checked {
	const members = hasCode(error, "invalid_file") ? error.members : {};
	const hasIds = hasCode(error, "invalid_parameter");
	return { ...members, counts: undefined, refusal: toMessage(error), hasIds };
}

function toCounts({ added, changed, unchanged }: Counts): string {
	return `${toCountText(added)} new, ${toCountText(changed)} changed, ${toCountText(unchanged)} unchanged`;
}

/** Of categories, in the preview. */
const maxNames = 20;

function toNewNames({ createdCategories }: Counts): string {
	const names = createdCategories.slice(0, maxNames).map(isolate).join(", ");
	const others = createdCategories.length > maxNames ? " and others" : "";
	return names && ` New categories: ${names}${others}.`;
}

function toBlankNote({ blankNames }: Counts): string {
	return blankNames > 0n
		? ` Note: of ${toQuantity(blankNames, "name")} nothing can be seen.`
		: "";
}

function toIgnored(ignored: Counts["ignored"]): string {
	const names = ignored.map(
		({ name, lines }) => `${isolate(name)} (${toQuantity(lines, "line")})`,
	);
	return `Not read, because animals have no such members: ${names.join(", ")}.`;
}

/** Without the parameter of the request: the page has boxes. */
function toWords(message: string): string {
	return message.replace(
		/ \(createCategories\)| ignoreUnknown skips others\./,
		"",
	);
}

const errorColumns: readonly Column<FileError>[] = [
	{
		title: "Line",
		kind: "name",
		cell: ({ line }) => `Line ${toCountText(line)}`,
	},
	{ title: "Field", cell: ({ field }) => field },
	{ title: "Value", cell: ({ value }) => value && <bdi>{toShown(value)}</bdi> },
	{ title: "Rule", kind: "block", cell: ({ message }) => toWords(message) },
];
