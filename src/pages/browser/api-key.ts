// The reader's API key: stored for this tab only, and gone with it.

const field = document.querySelector<HTMLInputElement>("#key");

/** Fills the field in, and remembers what is typed. */
export function rememberKey(): void {
	if (field === null) return;
	field.value = sessionStorage.getItem(name) ?? field.dataset.example ?? "";
	field.addEventListener("input", () => sessionStorage.setItem(name, key()));
}

export function key(): string {
	return field?.value.trim() ?? "";
}

const name = "petstore-api-key";
