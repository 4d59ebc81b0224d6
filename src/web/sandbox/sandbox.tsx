// The script of the page of the sandbox: shows it in place of what stood there while the script was loading.
import { render } from "preact";
import { App } from "./app.tsx";
import { createState } from "./state.ts";

const place = document.querySelector(".console");
if (place !== null) {
	place.replaceChildren();
	render(<App state={createState(document.body.dataset)} />, place);
}
