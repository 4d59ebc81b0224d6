// A button that shows the chosen value and opens a menu of all values. Arrow keys move in the menu, Escape closes it.
import { useSignal } from "@preact/signals";
import type { TargetedKeyboardEvent } from "preact";
import { useId, useRef } from "preact/hooks";
import { Button } from "./fields.tsx";

interface MenuProps<Value extends string> {
	/** Screen readers say it before the value. */
	readonly label: string;
	readonly values: readonly Value[];
	readonly chosen: Value;
	readonly isDisabled: boolean;
	readonly onChoose: (value: Value) => void;
}

/** The browser opens, closes and places the menu. */
export function Menu<Value extends string>(props: MenuProps<Value>) {
	const { label, values, chosen, isDisabled, onChoose } = props;
	const hasItems = useSignal(false);
	const menu = useRef<HTMLDivElement>(null);
	const id = useId();
	return (
		<>
			<Button
				class="chip"
				data-value={chosen}
				aria-label={`${label}: ${chosen}`}
				aria-haspopup="menu"
				aria-disabled={isDisabled}
				popovertarget={isDisabled ? undefined : id}
			>
				{chosen}
			</Button>
			<div
				ref={menu}
				id={id}
				role="menu"
				class="menu"
				aria-label={label}
				popover="auto"
				onBeforeToggle={() => {
					hasItems.value = true;
				}}
				onToggle={({ newState, currentTarget: menu }) => {
					// Removes the items only after the browser has moved the focus out.
					hasItems.value = newState === "open";
					menu.querySelector<HTMLElement>("[aria-checked=true]")?.focus();
				}}
				onKeyDown={moveFocus}
			>
				{hasItems.value &&
					values.map((value) => (
						<Button
							key={value}
							role="menuitemradio"
							data-value={value}
							aria-checked={value === chosen}
							tabIndex={-1}
							onClick={() => {
								menu.current?.hidePopover();
								if (value !== chosen) onChoose(value);
							}}
						>
							{value}
						</Button>
					))}
			</div>
		</>
	);
}

function moveFocus(event: TargetedKeyboardEvent<HTMLDivElement>): void {
	const menu = event.currentTarget;
	if (event.key === "Tab") menu.hidePopover();
	const items = [...menu.querySelectorAll("button")];
	const index = items.findIndex((one) => one.matches(":focus"));
	const next = {
		ArrowDown: (index + 1) % items.length,
		ArrowUp: index - 1,
		Home: 0,
		End: -1,
	}[event.key];
	if (next === undefined) return;
	items.at(next)?.focus();
	event.preventDefault();
}
