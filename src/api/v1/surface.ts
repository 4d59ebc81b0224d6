// `/v1`: the operations of the interface document, each with its handler.
import { v1 } from "../../contract/v1/interface.ts";
import { operations } from "../../contract/v1/operations.ts";
import { petToJson } from "../../domain/pet.ts";
import { toRoutes } from "../../http/operation-routes.ts";
import { jsonHeaders } from "../../http/reply.ts";
import type { Identity, Route, Surface } from "../../http/surface.ts";
import type { Catalogue } from "../../store/catalogue.ts";
import { addPet } from "../pets/add-pet.ts";
import { getPet } from "../pets/get-pet.ts";
import { listPets } from "./list-pets.ts";

export function createV1(options: {
	catalogue: Catalogue;
	authenticate: Surface["authenticate"];
	/** Called for each list; says whether its page was cached. */
	onPage: (isCached: boolean) => void;
	/** Called for each authenticated call of a deprecated operation. */
	onDeprecatedCall: (caller: Identity) => void;
}): Surface {
	const { catalogue, authenticate, onPage } = options;
	const handlers = {
		listPets: listPets(catalogue, onPage),
		createPet: addPet(catalogue, `${v1.prefix}/pets/`, petToJson),
		getPet: getPet(catalogue, petToJson),
	};
	return {
		prefix: v1.prefix,
		authenticate,
		headers: jsonHeaders,
		routes: toRoutes(v1, jsonHeaders, handlers).map((route) =>
			isDeprecated(route) ? withCall(route, options.onDeprecatedCall) : route,
		),
	};
}

function isDeprecated({ operationId }: Route): boolean {
	return Object.entries(operations).some(
		([id, { deprecation }]) => id === operationId && deprecation !== undefined,
	);
}

function withCall(route: Route, onCall: (caller: Identity) => void): Route {
	return {
		...route,
		handle(call) {
			onCall(call.identity);
			return route.handle(call);
		},
	};
}
