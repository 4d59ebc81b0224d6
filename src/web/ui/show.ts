// Shows a part of the page.
import { type ComponentType, h, render } from "preact";

/** In place of what the element has during loading. */
export function show(Part: ComponentType, selector: string): void {
	const parent = document.querySelector(selector);
	parent?.replaceChildren();
	if (parent) render(h(Part, {}), parent);
}
