// The address of the service as the reader sees it: scripts are in a folder of it, and pages at different depths below it.

export const base = new URL("..", import.meta.url).href.replace(/\/$/, "");

export function showBase(): void {
	for (const element of document.querySelectorAll("[data-base]"))
		element.textContent = base;
}
