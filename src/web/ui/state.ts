// The state of a page: plain values. After a change, the page or one component is rendered again.
import { type ComponentType, h, render } from "preact";
import { useReducer, useState } from "preact/hooks";

interface Signal<Value> {
	value: Value;
}

/** For state outside components. */
export function signal<Value>(initial: Value): Signal<Value> {
	return toSignal(initial, () => {
		for (const renderAgain of roots) renderAgain();
	});
}

/** For state of one component. */
export function useSignal<Value>(initial: Value): Signal<Value> {
	const renderAgain = useRendering();
	return useState(() => toSignal(initial, renderAgain))[0];
}

/** Renders a part of the page in place of what the element has during loading. */
export function show(Part: ComponentType, selector: string): void {
	const parent = document.querySelector(selector);
	parent?.replaceChildren();
	if (parent) render(h(Root, { Part }), parent);
}

const roots = new Set<() => void>();

/** It stays, since ids of `useId` are unique only below one root. */
function Root({ Part }: { Part: ComponentType }) {
	roots.add(useRendering());
	return h(Part, {});
}

/** Preact renders once for all calls of a task. */
function useRendering(): () => void {
	return useReducer<number, void>((count) => count + 1, 0)[1];
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
