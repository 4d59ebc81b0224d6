// The field of the file to import. A file can also be dropped anywhere on the page.
import type { Signal } from "@preact/signals";
import type { RefObject } from "preact";
import { useEffect, useId } from "preact/hooks";
import type { ImportedFile } from "../api/import.ts";
import { formatBytes, isolate } from "../parts/format.ts";
import { acceptedEndings, largestFile } from "./file.ts";

interface FileFieldProps {
	readonly input: RefObject<HTMLInputElement | null>;
	readonly file: ImportedFile | undefined;
	readonly wrong: Signal<string | undefined>;
	readonly onChoose: (files: FileList) => void;
}

export function FileField({ input, file, wrong, onChoose }: FileFieldProps) {
	const id = useId();
	useEffect(() => takeDrops(input), []);
	return (
		<div class="field">
			<label class="label" for={id}>
				File
			</label>
			<div class="file">
				<input
					{...{ id, ref: input, type: "file", accept: acceptedEndings }}
					aria-describedby={`${id}-name ${id}-hint`}
					aria-invalid={wrong.value !== undefined}
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
			<span class={wrong.value ? "wrong" : "hint"} id={`${id}-hint`}>
				{wrong.value ?? `CSV or NDJSON, up to ${largestFile}.`}
			</span>
		</div>
	);
}

/** Without it, a browser opens a file that is dropped beside the field. Returns a function that ends it. */
function takeDrops(input: FileFieldProps["input"]): () => void {
	const controller = new AbortController();
	const { signal } = controller;
	document.addEventListener("dragover", (event) => event.preventDefault(), {
		signal,
	});
	document.addEventListener(
		"drop",
		(event) => {
			event.preventDefault();
			const files = event.dataTransfer?.files;
			if (!files?.length || input.current === null) return;
			input.current.files = files;
			input.current.dispatchEvent(new InputEvent("input", { bubbles: true }));
		},
		{ signal },
	);
	return () => controller.abort();
}
