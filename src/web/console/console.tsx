// The script of the console: puts its parts together and shows them.
import { render, type VNode } from "preact";
import { App, Bar } from "./app.tsx";
import { takeLink, takeReason } from "./route.ts";
import { createParts } from "./state.ts";

// First, so that the token is in the address bar as briefly as possible.
const link = takeLink();
const parts = createParts(document.body.dataset);
show(".rest", <Bar {...parts} />);
show(".console", <App {...parts} />);
await parts.session.begin(link, takeReason());

function show(selector: string, part: VNode): void {
	const place = document.querySelector(selector);
	if (place === null) return;
	// The placeholder during loading.
	place.replaceChildren();
	render(part, place);
}
