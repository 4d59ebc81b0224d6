// The state of a page that no component owns: plain values. After a change, the page is rendered again.
import { type ComponentType, h, render } from "preact";
import { useReducer } from "preact/hooks";

export function signal<Value>(initial: Value): { value: Value } {
	let value = initial;
	return {
		get value() {
			return value;
		},
		set value(next) {
			if (next === value) return;
			value = next;
			// Preact renders once for all calls of a task.
			for (const renderAgain of roots) renderAgain();
		},
	};
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
	roots.add(useReducer<number, void>((count) => count + 1, 0)[1]);
	return h(Part, {});
}
