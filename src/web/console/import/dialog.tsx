// Imports a file: a dry run shows what it would do, then the same content is applied.
import { useSignal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import { toMessage } from "../api/error.ts";
import { type ImportedFile, importPets, type Outcome } from "../api/import.ts";
import type { CatalogueProps } from "../catalogue/view.tsx";
import { FormDialog } from "../parts/dialog.tsx";
import { Field } from "../parts/fields.tsx";
import { FileField, takeFile } from "./file.tsx";
import { Preview, toResult } from "./preview.tsx";

export function ImportDialog(props: CatalogueProps & { onClose: () => void }) {
	const { api, toasts, follower, onClose } = props;
	const input = useRef<HTMLInputElement>(null);
	const file = useSignal<ImportedFile | undefined>(undefined);
	/** Why there is no file. */
	const wrong = useSignal<string | undefined>(undefined);
	const mode = useSignal("add");
	const isUpdate = mode.value === "update";
	/** Undefined before a file was checked. */
	const outcome = useSignal<Outcome | undefined>(undefined);

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
		const wanted = { isUpdate, isDryRun: true, ending };
		const found = await importPets(api, file.value, wanted).catch(toRefused);
		if (!ending?.aborted) outcome.value = found;
	}

	async function apply(file: ImportedFile): Promise<void> {
		const result = await importPets(api, file, { isUpdate, isDryRun: false });
		if (result.kind === "refused") {
			outcome.value = result;
			return;
		}
		toasts.show(toResult(file, result));
		follower.search();
		// The user may have closed it.
		if (input.current !== null) onClose();
	}

	async function submit(): Promise<void> {
		if (file.value === undefined) {
			wrong.value ??= "Choose a file.";
			input.current?.focus();
		} else if (outcome.value?.kind === "done") await apply(file.value);
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
			submit={outcome.value?.kind === "done" ? "Apply" : "Check"}
			onSubmit={submit}
			onClose={onClose}
		>
			<FileField {...{ input, wrong }} file={file.value} onChoose={choose} />
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
			<Preview isChecking={file.value !== undefined} outcome={outcome.value} />
		</FormDialog>
	);
}

function toRefused(error: unknown): Outcome {
	return { kind: "refused", message: toMessage(error), errors: [] };
}

const modes = [
	{ value: "add", text: "Add all as new animals" },
	{ value: "update", text: "Update animals by their id" },
];
