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
	const isReady = await fetch("readyz", { cache: "no-store" })
		.then(({ ok }) => ok)
		.catch(() => undefined);
	const [name, shown] =
		isReady === undefined
			? ["unreachable", "Not reachable"]
			: isReady
				? ["ready", "Ready"]
				: ["not-ready", "Not ready"];
	state.dataset.state = name;
	// Screen readers must not repeat a text that stays the same.
	if (text.textContent !== shown) text.textContent = shown ?? "";
}
