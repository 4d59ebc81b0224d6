// Where something is typed that is not sent yet: by the place of the form.
import { signal } from "@preact/signals";

export type Place = "page" | "drawer" | "dialog";
export const typed = signal<ReadonlySet<Place>>(new Set());

export function forget(...places: readonly Place[]): void {
	typed.value = typed.value.difference(new Set(places));
}

/** Asks before typed input is lost. */
export function mayDiscard(...places: readonly Place[]): boolean {
	const isTyped = places.some((one) => typed.value.has(one));
	if (isTyped && !confirm("Discard what you typed?")) return false;
	forget(...places);
	return true;
}

addEventListener("beforeunload", (event) => {
	if (typed.value.size > 0) event.preventDefault();
});
