// What the scripts of the pages share: the address of the service, and the buttons that copy a code.

/** As the reader sees it, from the URL of this script: pages are at different depths. */
export const base = new URL("..", import.meta.url).href.replace(/\/$/, "");

/** Where the tab stores the API key of the reader. */
export const keyName = "petstore-api-key";

export function showBase(): void {
	for (const element of document.querySelectorAll("[data-base]"))
		element.textContent = base;
}

/** Each says for a moment whether it worked. */
export function handleCopies(toText: (button: Element) => string): void {
	for (const button of document.querySelectorAll(".copy")) {
		// Browsers have no clipboard on plain HTTP, except on localhost.
		if (navigator.clipboard === undefined) button.remove();
		button.addEventListener("click", async () => {
			button.textContent = await navigator.clipboard
				.writeText(toText(button))
				.then(
					() => "Copied",
					() => "Not copied",
				);
			setTimeout(() => {
				button.textContent = "Copy";
			}, 2000);
		});
	}
}
