// The script of the console: puts its parts together and shows them.
import { render, type VNode } from "preact";
import { base } from "../browser/base.ts";
import { createApi } from "./api/api.ts";
import { createConnection } from "./api/connection.ts";
import { createKeys } from "./api/keys.ts";
import { createPets } from "./api/pets.ts";
import { createUsage } from "./api/usage.ts";
import { App, Bar, type ConsoleParts } from "./app.tsx";
import { createActions } from "./catalogue/actions.ts";
import { createPetList } from "./catalogue/list.ts";
import { createRemovals } from "./catalogue/removals.ts";
import { createKeysState } from "./keys/state.ts";
import { createToasts } from "./parts/toasts.tsx";
import { createRoute, leaveReason, takeLink, takeReason } from "./route.ts";
import { createSession } from "./sign-in/session.ts";
import { createTrafficState } from "./traffic/state.ts";

// Before anything else, so that the token is in the address bar as shortly as possible.
const link = takeLink();
const { parts, sendRemovals } = createParts(document.body.dataset);
addEventListener("pagehide", () => void sendRemovals());
show(".rest", <Bar {...parts} />);
show(".console", <App {...parts} />);
await parts.session.begin(link, takeReason());

function show(selector: string, part: VNode): void {
	const place = document.querySelector(selector);
	if (place === null) return;
	// What stood there while the script was loading.
	place.replaceChildren();
	render(part, place);
}

/** `page` is what the service has put into the page. */
function createParts(page: DOMStringMap): {
	parts: ConsoleParts;
	sendRemovals: () => Promise<string>;
} {
	const connection = createConnection();
	const api = createApi(`${base}/operator/v1`, connection);
	const session = createSession(connection, api);
	const toasts = createToasts();
	const pets = createPets(api);
	const keys = createKeys(api);
	const usage = createUsage(api);
	const list = createPetList(pets);
	const removals = createRemovals(pets, list, toasts);
	const parts = {
		api,
		connection,
		session,
		toasts,
		route: createRoute(),
		catalogue: {
			downloads: { api, toasts },
			list,
			actions: createActions(pets, list, removals, toasts),
		},
		keys: createKeysState(keys, usage),
		traffic: {
			state: createTrafficState(usage, keys),
			operations: (page.operations ?? "").split(" "),
			deprecation: {
				operation: page.deprecated ?? "",
				sunset: Date.parse(page.sunset ?? ""),
			},
		},
		exampleKey: page.exampleKey ?? "",
		linkCommand: page.linkCommand ?? "",
		backupCommand: page.backupCommand ?? "",
		async onSignOut() {
			const done = await removals.sendAll();
			await session.signOut();
			leaveReason(`You are signed out.${done}`);
			// Nothing of the catalogue stays in the page.
			location.reload();
		},
	};
	return { parts, sendRemovals: removals.sendAll };
}
