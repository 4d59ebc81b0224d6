// The buttons that copy a code. Each says for a moment whether it worked.

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
