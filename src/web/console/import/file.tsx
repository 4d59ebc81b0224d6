// The field of the file to import. A file can also be dropped anywhere on the page.
import type { RefObject } from "preact";
import { useEffect, useId } from "preact/hooks";
import { maxImportBytes } from "../../../limits.ts";
import type { ImportedFile } from "../api/import.ts";
import { toRandomName } from "../api/values.ts";
import { formatBytes, isolate } from "../parts/format.ts";

const largestFile = formatBytes(maxImportBytes);

interface FileFieldProps {
	readonly input: RefObject<HTMLInputElement | null>;
	readonly file: ImportedFile | undefined;
	/** Why no file is chosen. */
	readonly wrong: string | undefined;
	readonly onChoose: (files: FileList) => void;
}

export function FileField({ input, file, wrong, onChoose }: FileFieldProps) {
	const id = useId();
	useEffect(() => takeDrops(onChoose), []);
	return (
		<div class="field">
			<label class="label" for={id}>
				File
			</label>
			<div class="file">
				<input
					id={id}
					ref={input}
					type="file"
					accept=".csv,.ndjson,.jsonl"
					aria-describedby={`${id}-name ${id}-hint`}
					aria-invalid={wrong !== undefined}
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
			<span class={wrong ? "wrong" : "hint"} id={`${id}-hint`}>
				{wrong ?? `CSV or NDJSON, up to ${largestFile}.`}
			</span>
		</div>
	);
}

/** A browser would open a file that is dropped beside the field. Returns a function that ends this. */
function takeDrops(onChoose: FileFieldProps["onChoose"]): () => void {
	const take = (event: DragEvent) => {
		event.preventDefault();
		const files = event.dataTransfer?.files;
		if (event.type === "drop" && files?.length) onChoose(files);
	};
	document.addEventListener("dragover", take);
	document.addEventListener("drop", take);
	return () => {
		document.removeEventListener("dragover", take);
		document.removeEventListener("drop", take);
	};
}

/** Copies the file to memory, so that the import gets the content of the preview. Throws an error with a message for the user. */
export async function takeFile(files: FileList): Promise<ImportedFile> {
	const [file] = files;
	if (file === undefined || files.length > 1)
		throw new Error("Choose one file.");
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
	const format = ending.toLowerCase() === "csv" ? "csv" : "ndjson";
	const content = new Blob([await file.arrayBuffer().catch(refuse)]);
	return { name, format, content, importId: toRandomName() };
}

function refuse(): never {
	throw new Error("Could not read the file.");
}
