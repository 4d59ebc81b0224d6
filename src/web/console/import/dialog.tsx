// Imports a file: a dry run shows the outcome, then the same content is applied.
import { useSignal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import { toMessage } from "../api/error.ts";
import {
	type Done,
	type FileErrors,
	type ImportedFile,
	importPets,
	type Outcome,
} from "../api/import.ts";
import { FormDialog } from "../parts/dialog.tsx";
import { Field } from "../parts/fields.tsx";
import { formatCount, formatTime, isolate, toShown } from "../parts/format.ts";
import { Failed } from "../parts/poll.tsx";
import { number, Table } from "../parts/table.tsx";
import type { ConsoleParts } from "../state.ts";
import { FileField, takeFile } from "./file.tsx";

const modes = [
	{ value: "add", text: "Add all as new animals" },
	{ value: "update", text: "Update animals by their id" },
];

export function ImportDialog(props: ConsoleParts & { onClose: () => void }) {
	const { api, toasts, follower, onClose } = props;
	const input = useRef<HTMLInputElement>(null);
	const file = useSignal<ImportedFile | undefined>(undefined);
	/** Why no file is chosen. */
	const wrong = useSignal<string | undefined>(undefined);
	const mode = useSignal("add");
	const isUpdate = mode.value === "update";
	/** Undefined before a file was checked. */
	const outcome = useSignal<Outcome | undefined>(undefined);
	const isFileWrong =
		outcome.value?.kind === "refused" && outcome.value.errors.length > 0;

	async function choose(files: FileList): Promise<void> {
		wrong.value = undefined;
		file.value = await takeFile(files).catch((error) => {
			wrong.value = toMessage(error);
			return undefined;
		});
	}

	async function check(ending?: AbortSignal): Promise<void> {
		outcome.value = undefined;
		if (file.value === undefined) return;
		const checking = importPets(api, file.value, isUpdate, true, ending);
		const found = await checking.catch(toRefused);
		if (!ending?.aborted) outcome.value = found;
	}

	async function apply(file: ImportedFile): Promise<void> {
		const result = await importPets(api, file, isUpdate, false);
		if (result.kind === "refused") {
			outcome.value = result;
			return;
		}
		toasts.show(toResult(file, result));
		follower.search();
		// The user may have closed the dialog.
		if (input.current !== null) onClose();
	}

	async function submit(): Promise<void> {
		if (file.value === undefined) {
			wrong.value ??= "Choose a file.";
			input.current?.focus();
		} else if (outcome.value?.kind === "done") await apply(file.value);
		// The page has a copy of the file, and browsers do not let it read a changed file again.
		else if (isFileWrong) input.current?.click();
		else await check();
	}

	useEffect(() => {
		const ending = new AbortController();
		void check(ending.signal);
		return () => ending.abort();
	}, [file.value, mode.value]);
	return (
		<FormDialog
			title="Import animals"
			submit={toSubmit(outcome.value?.kind === "done", isFileWrong)}
			onSubmit={submit}
			onClose={onClose}
		>
			<FileField
				input={input}
				file={file.value}
				wrong={wrong.value}
				onChoose={choose}
			/>
			<Field
				label="Rows"
				value={mode}
				options={modes}
				hint={
					isUpdate
						? "Rows without an id add animals."
						: "Ids in the file are ignored."
				}
			/>
			<p role="status" class="preview">
				{file.value && !outcome.value && "Checking …"}
				{outcome.value?.kind === "done" &&
					`${toCounts(outcome.value)}. Nothing is imported yet.`}
				{outcome.value?.kind === "refused" &&
					outcome.value.counts &&
					`Without the lines with errors: ${toCounts(outcome.value.counts)}.`}
			</p>
			{outcome.value?.kind === "refused" && (
				<>
					<Failed message={outcome.value.message} />
					<Errors errors={outcome.value.errors} />
					{isFileWrong && <p>Correct the file and choose it again.</p>}
				</>
			)}
		</FormDialog>
	);
}

function toSubmit(isChecked: boolean, isFileWrong: boolean): string {
	if (isChecked) return "Apply";
	return isFileWrong ? "Choose again" : "Check";
}

function toRefused(error: unknown): Outcome {
	const message = toMessage(error);
	return { kind: "refused", message, counts: undefined, errors: [] };
}

/** For the message after an import. */
function toResult({ name }: ImportedFile, done: Done): string {
	return done.finishedAt === undefined
		? `Imported ${isolate(name)}: ${toCounts(done)}.`
		: `${isolate(name)} was already imported: ${formatTime(done.finishedAt)}.`;
}

function toCounts({ added, changed, unchanged }: Done): string {
	return `${formatCount(added)} new, ${formatCount(changed)} changed, ${formatCount(unchanged)} unchanged`;
}

/** The service sends no more than these. */
const maxErrors = 100;

function Errors({ errors }: { errors: FileErrors }) {
	if (errors.length === 0) return null;
	return (
		// biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard.
		<section class="errors" aria-label="Errors" tabIndex={0}>
			<Table headings={[number("Line"), "Field", "Value", "Rule"]}>
				{errors.map(({ line, field, value, message }, index) => (
					<tr key={`${line} ${index}`}>
						<th scope="row" class="number">
							{formatCount(line)}
						</th>
						<td>{field}</td>
						<td>
							<bdi>{toShown(value ?? "")}</bdi>
						</td>
						<td>{message}</td>
					</tr>
				))}
			</Table>
			{errors.length === maxErrors && (
				<p class="hint">Only the first {maxErrors} errors are listed.</p>
			)}
		</section>
	);
}
