// A button that shows the chosen value and opens a menu of all values. Arrow keys move in the menu, Escape closes it.
import { useSignal } from "@preact/signals";
import type { TargetedKeyboardEvent } from "preact";
import { useLayoutEffect, useRef } from "preact/hooks";
import { Button, type Option } from "./fields.tsx";

interface MenuProps<Value extends string> {
	/** What is chosen. Screen readers say it before the value. */
	readonly label: string;
	readonly values: readonly Option<Value>[];
	readonly chosen: Value;
	readonly isDisabled: boolean;
	readonly onChoose: (value: Value) => void;
}

export function Menu<Value extends string>(props: MenuProps<Value>) {
	const { label, values, chosen, isDisabled } = props;
	const isOpen = useSignal(false);
	const button = useRef<HTMLButtonElement>(null);
	/** A press on the button closes an open menu. Its click must not open it again. */
	const wasOpen = useRef(false);
	return (
		<>
			<button
				ref={button}
				type="button"
				class="chip"
				data-value={chosen}
				aria-label={`${label}: ${chosen}`}
				aria-haspopup="menu"
				aria-expanded={isOpen.value}
				aria-disabled={isDisabled}
				onPointerDown={() => {
					wasOpen.current = isOpen.peek();
				}}
				onClick={() => {
					isOpen.value = !isDisabled && !wasOpen.current;
					wasOpen.current = false;
				}}
			>
				{values.find(({ value }) => value === chosen)?.text}
			</button>
			{isOpen.value && (
				<Items
					{...props}
					button={button}
					onClose={() => {
						isOpen.value = false;
					}}
				/>
			)}
		</>
	);
}

function Items<Value extends string>(
	props: MenuProps<Value> & {
		button: { readonly current: HTMLElement | null };
		onClose: () => void;
	},
) {
	const { label, values, chosen, button, onChoose, onClose } = props;
	const menu = useRef<HTMLDivElement>(null);
	useLayoutEffect(() => {
		const own = menu.current;
		if (own === null) return;
		own.showPopover();
		const place = () => {
			const from = button.current?.getBoundingClientRect();
			if (from === undefined) return;
			const fitsBelow = from.bottom + own.offsetHeight < innerHeight;
			const top = fitsBelow ? from.bottom : from.top - own.offsetHeight;
			const left = Math.min(from.left, innerWidth - own.offsetWidth - 8);
			Object.assign(own.style, { top: `${top}px`, left: `${left}px` });
		};
		place();
		own.querySelector<HTMLElement>("[aria-checked=true]")?.focus();
		addEventListener("scroll", place);
		return () => removeEventListener("scroll", place);
	}, []);
	return (
		<div
			ref={menu}
			role="menu"
			class="menu"
			aria-label={label}
			popover="auto"
			onToggle={({ newState }) => {
				if (newState === "closed") onClose();
			}}
			onKeyDown={moveFocus}
		>
			{values.map(({ value, text }) => (
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
					{text}
				</Button>
			))}
		</div>
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
