// Imports a file: a dry run shows what it would do, then the same content is applied.
import { useComputed, useSignal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import type { Api } from "../api/api.ts";
import { toMessage } from "../api/error.ts";
import { type ImportedFile, importPets, type Outcome } from "../api/import.ts";
import type { Follower } from "../catalogue/follow.ts";
import { FormDialog } from "../parts/dialog.tsx";
import { Field } from "../parts/fields.tsx";
import type { Toasts } from "../parts/toasts.tsx";
import { FileField } from "./field.tsx";
import { takeFile } from "./file.ts";
import { Preview, toResult } from "./preview.tsx";

export interface Importing {
	readonly api: Api;
	readonly toasts: Toasts;
	readonly follower: Follower;
}

export function ImportDialog(props: Importing & { onClose: () => void }) {
	const { api, toasts, follower, onClose } = props;
	const input = useRef<HTMLInputElement>(null);
	const file = useSignal<ImportedFile | undefined>(undefined);
	/** Why there is no file. */
	const wrong = useSignal<string | undefined>(undefined);
	const mode = useSignal("add");
	const wanted = useComputed(() => ({
		file: file.value,
		isUpdate: mode.value === "update",
	}));
	const isChecking = useSignal(false);
	const outcome = useSignal<Outcome | undefined>(undefined);

	async function choose(files: FileList): Promise<void> {
		try {
			file.value = await takeFile(files);
			wrong.value = undefined;
		} catch (error) {
			file.value = undefined;
			wrong.value = toMessage(error);
		}
	}

	async function submit(): Promise<void> {
		const { file, isUpdate } = wanted.peek();
		if (file === undefined) {
			wrong.value ??= "Choose a file.";
			input.current?.focus();
		} else if (outcome.peek()?.kind === "done") await apply(file, isUpdate);
		else
			await check().finally(() => {
				isChecking.value = false;
			});
	}

	/** Repeats it if the user has chosen something else before the reply. */
	async function check(): Promise<void> {
		const asked = wanted.peek();
		if (asked.file === undefined) return;
		isChecking.value = true;
		try {
			const { file, isUpdate } = asked;
			const found = await importPets(api, file, { isUpdate, isDryRun: true });
			if (asked === wanted.peek()) outcome.value = found;
		} catch (error) {
			if (asked === wanted.peek()) throw error;
		}
		if (asked !== wanted.peek()) await check();
	}

	async function apply(file: ImportedFile, isUpdate: boolean): Promise<void> {
		const result = await importPets(api, file, { isUpdate, isDryRun: false });
		if (result.kind === "refused") outcome.value = result;
		else {
			toasts.show(toResult(file, result));
			follower.search();
			// The user may have closed it.
			if (input.current !== null) onClose();
		}
	}

	useEffect(() => {
		outcome.value = undefined;
		if (file.value ?? wrong.value) input.current?.form?.requestSubmit();
	}, [wanted.value, wrong.value]);
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
					mode.value === "add"
						? "Ids in the file are ignored."
						: "Rows without an id add animals."
				}
			/>
			<Preview isChecking={isChecking.value} outcome={outcome.value} />
		</FormDialog>
	);
}

const modes = [
	{ value: "add", text: "Add all as new animals" },
	{ value: "update", text: "Update animals by their id" },
];
