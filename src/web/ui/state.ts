// The state of a page: plain values. After a change, the page or one component is rendered again.
import { type ComponentType, h, render } from "preact";
import { useReducer, useState } from "preact/hooks";

interface Signal<Value> {
	value: Value;
}

/** For state outside components. */
export function signal<Value>(initial: Value): Signal<Value> {
	return toSignal(initial, renderSoon);
}

/** For state of one component. */
export function useSignal<Value>(initial: Value): Signal<Value> {
	const [, renderAgain] = useReducer((count: number) => count + 1, 0);
	return useState(() => toSignal(initial, () => renderAgain(undefined)))[0];
}

function toSignal<Value>(value: Value, onChange: () => void): Signal<Value> {
	return {
		get value() {
			return value;
		},
		set value(next) {
			if (next === value) return;
			value = next;
			onChange();
		},
	};
}

const parts = new Map<Element, ComponentType>();

/** Renders a part of the page in place of what the element has during loading. */
export function show(Part: ComponentType, selector: string): void {
	const parent = document.querySelector(selector);
	if (parent === null) return;
	parent.replaceChildren();
	parts.set(parent, Part);
	render(h(Part, {}), parent);
}

let isWaiting = false;

/** Once for all changes of a task. */
function renderSoon(): void {
	if (isWaiting) return;
	isWaiting = true;
	queueMicrotask(() => {
		isWaiting = false;
		for (const [parent, Part] of parts) render(h(Part, {}), parent);
	});
}
