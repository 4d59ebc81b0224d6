// The script of the home page: shows whether the service is ready and its address as the reader sees it, and copies the codes.
import { base, handleCopies, showBase } from "./base.ts";

showBase();
void showReadiness();
setInterval(showReadiness, 10_000);
handleCopies(
	({ previousElementSibling }) => previousElementSibling?.textContent ?? "",
);

async function showReadiness(): Promise<void> {
	const place = document.querySelector<HTMLElement>("[role=status]");
	if (place === null || document.visibilityState === "hidden") return;
	const text = await fetch(`${base}/readyz`, { cache: "no-store" }).then(
		({ ok }) => (ok ? "Ready" : "Not ready"),
		() => "Not reachable",
	);
	place.className = "badge";
	place.dataset.is = text === "Ready" ? "200" : "503";
	// Screen readers must not repeat a text that stays the same.
	if (place.textContent !== text) place.textContent = text;
}
