// A button that copies a text, and says for a moment whether it worked.
import { element } from "./element.ts";

/** Empty where the browser has no clipboard: on plain HTTP, except on localhost. */
export function createCopy(toText: () => string): readonly Node[] {
	const clipboard: Clipboard | undefined = navigator.clipboard;
	if (clipboard === undefined) return [];
	const button = element("button", "minor copy", "Copy");
	button.type = "button";
	button.addEventListener("click", async () => {
		button.textContent = await clipboard.writeText(toText()).then(
			() => "Copied",
			() => "Not copied",
		);
		setTimeout(() => {
			button.textContent = "Copy";
		}, 2000);
	});
	return [button];
}
