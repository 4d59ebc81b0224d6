// The address of the service as the reader sees it: the address of the page without its last segment.

export const base = new URL(".", location.href).href.replace(/\/$/, "");

export function showBase(): void {
	for (const element of document.querySelectorAll("[data-base]"))
		element.textContent = base;
}
