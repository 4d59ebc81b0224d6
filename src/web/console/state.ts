// What the views of the console share: the calls of the service, the state of each view, and the data of the page.
import { base } from "../browser/base.ts";
import { createApi } from "./api/api.ts";
import { createConnection } from "./api/connection.ts";
import { createKeys } from "./api/keys.ts";
import { createPets } from "./api/pets.ts";
import { createStatus } from "./api/status.ts";
import { createUsage } from "./api/usage.ts";
import { createActions } from "./catalogue/actions.ts";
import { createBulk } from "./catalogue/bulk.ts";
import { createFollower } from "./catalogue/follow.ts";
import { createPetList } from "./catalogue/list.ts";
import { createCategories } from "./categories/state.ts";
import { createHistory } from "./history/state.ts";
import { createKeysState } from "./keys/state.ts";
import { canLeaveDrawer } from "./parts/dialog.tsx";
import { createToasts } from "./parts/toasts.tsx";
import {
	createDetail,
	createPlace,
	createRoute,
	guardAddress,
} from "./route.ts";
import { createSession } from "./sign-in/session.ts";
import { createTrafficState } from "./traffic/state.ts";

export type ConsoleParts = ReturnType<typeof createParts>;

export function createParts(page: DOMStringMap) {
	guardAddress(canLeaveDrawer);
	const connection = createConnection();
	const api = createApi(`${base}/operator/v1`, connection);
	const toasts = createToasts();
	const pets = createPets(api);
	const keys = createKeys(api);
	const readUsage = createUsage(api);
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
		detail: createDetail(),
		categories: createCategories(api),
		history: createHistory(api, createPlace("history")),
		keys: createKeysState(keys, readUsage, connection),
		traffic: createTrafficState(readUsage, keys),
		status: createStatus(api),
		/** The operations of `/v1`. */
		operations: (page.operations ?? "").split(" "),
		deprecation: {
			operation: page.deprecated ?? "",
			sunset: Date.parse(page.sunset ?? ""),
		},
		/** The public key of a sandbox; empty elsewhere. */
		exampleKey: page.exampleKey ?? "",
	};
}
