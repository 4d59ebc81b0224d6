// The address of the service as the reader sees it, from the URL of this script: pages are at different depths.

export const base = new URL("..", import.meta.url).href.replace(/\/$/, "");

export function showBase(): void {
	for (const element of document.querySelectorAll("[data-base]"))
		element.textContent = base;
}
