// Colours by the choice of the reader: light, dark, or those of the system. It runs before the first paint, so that no page flashes in
// other colours, and handles the menu in the bar of each page.

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

/** The colours of the style sheets follow the property. */
function applyTheme(): void {
	const theme = localStorage.getItem(storageKey) ?? "";
	document.documentElement.style.colorScheme = theme;
	const menu = findMenu();
	if (menu !== null) menu.value = theme;
}

function findMenu(): HTMLSelectElement | null {
	return document.querySelector<HTMLSelectElement>(".theme select");
}
