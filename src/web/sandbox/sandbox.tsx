// The script of the page of the sandbox: puts its parts together and shows them.
import { render } from "preact";
import { base } from "../browser/base.ts";
import { createToasts } from "../console/parts/toasts.tsx";
import { App } from "./app.tsx";
import { createControl } from "./control.ts";
import { createKey } from "./key.ts";
import { toFields } from "./rule-fields.ts";
import { createState } from "./state.ts";

// What the service has put into the page.
const page = document.body.dataset;
const exampleKey = page.exampleKey ?? "";
const key = createKey(page.needsKey === "true", exampleKey);
const toasts = createToasts();
const state = createState(createControl(`${base}/sandbox`, key), toasts);
const place = document.querySelector(".console");
if (place !== null) {
	// What stood there while the script was loading.
	place.replaceChildren();
	render(
		<App
			state={state}
			accessKey={key}
			toasts={toasts}
			fields={toFields(page.ruleFields ?? "[]")}
			example={`curl -H "Authorization: Bearer ${exampleKey || "$KEY"}" ${base}/v1/pets`}
		/>,
		place,
	);
}
