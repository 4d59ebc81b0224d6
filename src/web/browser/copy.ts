// Copies a text, and says on the button whether it worked.

/** Undefined where the browser has no clipboard: on plain HTTP, except on localhost. */
export const clipboard: Clipboard | undefined = navigator.clipboard;

/** Shows the result for a moment. */
export async function copy(
	text: string,
	show: (label: string) => void,
): Promise<void> {
	const isCopied = await clipboard?.writeText(text).then(
		() => true,
		() => false,
	);
	show(isCopied ? "Copied" : "Not copied");
	setTimeout(show, 2000, copyLabel);
}

export const copyLabel = "Copy";

/** A copy button; empty without a clipboard. */
export function createCopy(toText: () => string): readonly Node[] {
	if (clipboard === undefined) return [];
	const button = document.createElement("button");
	button.className = "minor copy";
	button.type = "button";
	button.textContent = copyLabel;
	button.addEventListener("click", () => {
		void copy(toText(), (label) => {
			button.textContent = label;
		});
	});
	return [button];
}
