// `/v1`: the operations of the interface document, each with the function that does it.
import { type OperationId, operations, versionPrefix } from "../contract/v1.ts";
import { jsonHeaders, toOperationHeaders } from "../http/reply.ts";
import type { Surface } from "../http/surface.ts";
import type { Catalogue } from "../store/catalogue.ts";
import { createPet } from "./create-pet.ts";
import { getPet } from "./get-pet.ts";
import { listPets } from "./list-pets.ts";

export function createV1(options: {
	catalogue: Catalogue;
	authenticate: Surface["authenticate"];
	/** The operations to serve. */
	operationIds: readonly OperationId[];
}): Surface {
	const { catalogue, authenticate, operationIds } = options;
	const handlers = {
		listPets: listPets(catalogue),
		createPet: createPet(catalogue, {
			withLocation: operationIds.includes("getPet"),
		}),
		getPet: getPet(catalogue),
	};
	return {
		prefix: versionPrefix,
		authenticate,
		headers: jsonHeaders,
		routes: operationIds.map((id) => {
			const { method, path, scope } = operations[id];
			const headers = toOperationHeaders(versionPrefix, operations[id]);
			return { method, path, scope, headers, handle: handlers[id] };
		}),
	};
}
