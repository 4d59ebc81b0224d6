// The script of the home page: shows whether the service is ready, its address as the reader sees it, and buttons that copy.
import { showBase } from "./base.ts";
import { createCopy } from "./copy.ts";

showBase();
for (const code of document.querySelectorAll("pre code"))
	code.parentElement?.after(...createCopy(() => code.textContent ?? ""));
void showState();
setInterval(() => {
	if (document.visibilityState === "visible") void showState();
}, 10_000);

async function showState(): Promise<void> {
	const state = document.querySelector<HTMLElement>(".state");
	const text = state?.querySelector("span");
	if (state == null || text == null) return;
	const shown = await fetch("readyz", { cache: "no-store" }).then(
		({ ok }) => (ok ? "Ready" : "Not ready"),
		() => "Not reachable",
	);
	state.dataset.is = shown;
	// Screen readers must not repeat a text that stays the same.
	if (text.textContent !== shown) text.textContent = shown;
}
