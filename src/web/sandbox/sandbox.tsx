// The script of the sandbox page: replaces the placeholder by the app.
import { render } from "preact";
import { App } from "./app.tsx";
import { createState } from "./state.ts";

const place = document.querySelector(".console");
if (place !== null) {
	place.replaceChildren();
	render(<App state={createState(document.body.dataset)} />, place);
}
