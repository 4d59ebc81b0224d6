// A choice of one value among few, all of which are shown. It is one stop of the Tab key; the arrow keys move within it.
import type { TargetedKeyboardEvent } from "preact";

export function Choice<Value extends string>({
	label,
	values,
	chosen,
	isDisabled = false,
	onChoose,
}: {
	label: string;
	values: readonly { readonly value: Value; readonly text: string }[];
	chosen: Value;
	isDisabled?: boolean;
	onChoose: (value: Value) => void;
}) {
	return (
		// biome-ignore lint/a11y/useSemanticElements: a fieldset cannot be laid out as a row in every browser.
		<div class="choice" role="group" aria-label={label} onKeyDown={moveFocus}>
			{values.map(({ value, text }) => (
				<button
					key={value}
					type="button"
					data-value={value}
					aria-pressed={value === chosen}
					aria-disabled={isDisabled}
					tabIndex={value === chosen ? 0 : -1}
					onClick={() => {
						if (!isDisabled && value !== chosen) onChoose(value);
					}}
				>
					{text}
				</button>
			))}
		</div>
	);
}

function moveFocus(event: TargetedKeyboardEvent<HTMLDivElement>): void {
	const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
	if (step === undefined) return;
	const buttons = [...event.currentTarget.querySelectorAll("button")];
	const index = buttons.findIndex((one) => one.matches(":focus"));
	buttons.at((index + step) % buttons.length)?.focus();
	event.preventDefault();
}
