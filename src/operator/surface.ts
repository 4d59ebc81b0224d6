// `/operator/v1`: the operations of the operator interface, each with the function that does it.
import type { OpenApiVersion } from "../contract/openapi/version.ts";
import {
	type OperatorOperationId,
	operator,
} from "../contract/operator/interface.ts";
import { toDocumentRoute } from "../http/document-route.ts";
import { toRoutes } from "../http/operation-routes.ts";
import { anonymous, type Route, type Surface } from "../http/surface.ts";
import { addPet } from "../pets/add-pet.ts";
import { getPet } from "../pets/get-pet.ts";
import type { Catalogue } from "../store/catalogue.ts";
import type { Store } from "../store/store.ts";
import { changePet, removePet } from "./pets/change-pet.ts";
import { changePets } from "./pets/change-pets.ts";
import { findPets } from "./pets/find-pets.ts";
import { type ProcessFacts, readStatus } from "./status/read-status.ts";

export function createOperator(options: {
	catalogue: Catalogue;
	describe: Store["describe"];
	authenticate: Surface["authenticate"];
	facts: ProcessFacts;
}): Surface {
	const { catalogue, describe, authenticate, facts } = options;
	const handlers: Readonly<Record<OperatorOperationId, Route["handle"]>> = {
		findPets: findPets(catalogue),
		addPet: addPet(catalogue, `${operator.prefix}/pets/`),
		readPet: getPet(catalogue),
		changePet: changePet(catalogue),
		removePet: removePet(catalogue),
		changePets: changePets(catalogue),
		readStatus: readStatus(catalogue, describe, facts),
	};
	return {
		prefix: operator.prefix,
		authenticate,
		headers: operatorHeaders,
		isSameOriginOnly: true,
		routes: toRoutes(operator, operatorIds, operatorHeaders, handlers),
	};
}

/** What of `/operator` needs no key: the OpenAPI document. Here too, no reply has CORS headers. */
export function createOperatorDocument(
	openapi: (version: OpenApiVersion) => string,
): Surface {
	return {
		prefix: "/operator",
		authenticate: () => anonymous,
		headers: operatorHeaders,
		isSameOriginOnly: true,
		routes: [toDocumentRoute("/openapi.json", operatorHeaders, openapi)],
	};
}

const operatorIds = Object.keys(operator.operations).filter(
	(id): id is OperatorOperationId => id in operator.operations,
);

/** Without CORS headers: a browser sends the cookie of a session by itself, so scripts of other origins must not read these replies. */
const operatorHeaders = new Headers({
	"Content-Type": "application/json",
	"X-Content-Type-Options": "nosniff",
});
