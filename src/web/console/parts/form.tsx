// A form: its fields, what went wrong, and its buttons; and the dialog that has one.
import { useSignal } from "@preact/signals";
import type { ComponentChildren } from "preact";
import { hasCode, toMessage } from "../api/error.ts";
import { Dialog } from "./dialog.tsx";

interface FormProps {
	readonly submit: string;
	/** Called at most once at a time. A rejection is shown. */
	readonly onSubmit: () => Promise<unknown>;
	readonly onCancel?: () => void;
	readonly cancel?: string;
	readonly isDangerous?: boolean;
	/** Shown until an attempt has failed. */
	readonly notice?: string | undefined;
	readonly children: ComponentChildren;
}

export function FormDialog({
	title,
	onClose,
	...form
}: Omit<FormProps, "onCancel"> & { title: string; onClose: () => void }) {
	return (
		<Dialog title={title} onClose={onClose}>
			<Form {...form} onCancel={onClose} />
		</Dialog>
	);
}

export function Form(props: FormProps) {
	const { submit, onSubmit, onCancel, cancel = "Cancel", notice } = props;
	const isBusy = useSignal(false);
	const failure = useSignal<string | undefined>(undefined);
	const run = async () => {
		if (isBusy.peek()) return;
		isBusy.value = true;
		failure.value = undefined;
		try {
			await onSubmit();
		} catch (error) {
			// The dialog that signs in again says so, and the reader then repeats the action.
			if (!hasCode(error, "session_ended")) failure.value = toMessage(error);
		}
		isBusy.value = false;
	};
	return (
		<form
			class="form"
			aria-busy={isBusy.value}
			onSubmit={(event) => {
				event.preventDefault();
				void run();
			}}
		>
			{notice !== undefined && failure.value === undefined && (
				<p class="notice">{notice}</p>
			)}
			{props.children}
			<div role="alert">
				{failure.value !== undefined && <p class="failed">{failure.value}</p>}
			</div>
			<div class="buttons">
				<button type="submit" class={props.isDangerous ? "danger" : ""}>
					{submit}
				</button>
				{onCancel && (
					<button type="button" class="plain" onClick={onCancel}>
						{cancel}
					</button>
				)}
			</div>
		</form>
	);
}
