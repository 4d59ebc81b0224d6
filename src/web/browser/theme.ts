// The colours that the reader chooses: light, dark, or the system's. Runs before the first paint, so that no page flashes, and handles the
// menu in the bar.

const storageKey = "petstore-theme";

applyTheme();
// Another tab has changed it.
addEventListener("storage", applyTheme);
document.addEventListener("DOMContentLoaded", () => {
	const menu = findMenu();
	menu?.addEventListener("change", () => {
		if (menu.value === "") localStorage.removeItem(storageKey);
		else localStorage.setItem(storageKey, menu.value);
		applyTheme();
	});
	applyTheme();
});

/** The style sheets follow `color-scheme`. */
function applyTheme(): void {
	const theme = localStorage.getItem(storageKey) ?? "";
	document.documentElement.style.colorScheme = theme;
	const menu = findMenu();
	if (menu !== null) menu.value = theme;
}

function findMenu(): HTMLSelectElement | null {
	return document.querySelector<HTMLSelectElement>(".theme select");
}
