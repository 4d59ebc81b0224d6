// What the views of the console share: the calls of the service, the state of each view, and the data of the page.
import { base } from "../browser/base.ts";
import { createApi } from "./api/api.ts";
import { createConnection } from "./api/connection.ts";
import { createKeys } from "./api/keys.ts";
import { createPets } from "./api/pets.ts";
import { createStatus } from "./api/status.ts";
import { createActions } from "./catalogue/actions.ts";
import { createBulk } from "./catalogue/bulk.ts";
import { createFollower } from "./catalogue/follow.ts";
import { createPetList } from "./catalogue/list.ts";
import { createCategories } from "./categories/state.ts";
import { createHistory } from "./history/state.ts";
import { createKeysState } from "./keys/state.ts";
import { canLeaveDrawer } from "./parts/dialog.tsx";
import { createToasts } from "./parts/toasts.tsx";
import { createPlace, createRoute, guardAddress } from "./route.ts";
import { createSession } from "./sign-in/session.ts";

export type ConsoleParts = ReturnType<typeof createParts>;

export function createParts(page: DOMStringMap) {
	guardAddress(canLeaveDrawer);
	const connection = createConnection();
	const api = createApi(`${base}/operator/v1`, connection);
	const toasts = createToasts();
	const pets = createPets(api);
	const place = createPlace("catalogue");
	const list = createPetList(pets, place.query);
	const actions = createActions(api, pets, list, toasts);
	return {
		api,
		connection,
		toasts,
		pets,
		place,
		list,
		actions,
		bulk: createBulk(pets, list, actions, toasts),
		follower: createFollower(pets, list),
		session: createSession(connection, api),
		route: createRoute(),
		categories: createCategories(api),
		history: createHistory(api, createPlace("history")),
		keys: createKeysState(createKeys(api), connection),
		status: createStatus(api),
		/** The public key of a sandbox; empty elsewhere. */
		exampleKey: page.exampleKey ?? "",
	};
}
