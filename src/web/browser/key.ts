// The API key of the reader. Only this tab stores it, and the page shows only its start.

const field = document.querySelector<HTMLInputElement>("#key");
const example = field?.dataset.example ?? "";
const keyName = "petstore-api-key";

/** Calls `onKey` now and after each change. */
export function followKey(onKey: () => void): void {
	const show = () => {
		for (const link of document.querySelectorAll(".used-key"))
			link.textContent = key() === "" ? "no API key" : `key ${mask(key())}`;
		onKey();
	};
	if (field !== null) field.value = sessionStorage.getItem(keyName) ?? example;
	field?.addEventListener("input", () => {
		sessionStorage.setItem(keyName, key());
		show();
	});
	show();
}

export function key(): string {
	return field?.value.trim() ?? "";
}

export function hideKey(text: string): string {
	return key() === "" ? text : text.replaceAll(key(), mask(key()));
}

/** Shows only the start of a key, since others may see the screen. The example key is not a secret. */
export function mask(key: string): string {
	if (key === example) return key;
	return key.length < 16 ? "…" : `${key.slice(0, 8)}…`;
}
