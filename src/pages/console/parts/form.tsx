// A form of a dialog: its fields, what went wrong, and its buttons.
import type { ComponentChildren } from "preact";
import type { Action } from "./action.ts";

export function Form({
	action,
	submit,
	onSubmit,
	onCancel,
	cancel = "Cancel",
	isDangerous = false,
	children,
}: {
	action: Action;
	/** The text of the button. */
	submit: string;
	onSubmit: () => Promise<void>;
	onCancel?: () => void;
	cancel?: string;
	isDangerous?: boolean;
	children: ComponentChildren;
}) {
	return (
		<form
			class="form"
			aria-busy={action.isBusy.value}
			onSubmit={(event) => {
				event.preventDefault();
				void action.run(onSubmit);
			}}
		>
			{children}
			<div role="alert">
				{action.failure.value !== undefined && (
					<p class="failed">{action.failure.value}</p>
				)}
			</div>
			<div class="buttons">
				<button type="submit" class={isDangerous ? "danger" : ""}>
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
