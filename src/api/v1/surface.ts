// `/v1`: the operations of the interface document, each with its handler.
import { v1 } from "../../contract/v1/interface.ts";
import { petToJson } from "../../domain/pet.ts";
import { toRoutes } from "../../http/operation-routes.ts";
import { jsonHeaders } from "../../http/reply.ts";
import type { ReplyMemory } from "../../http/reply-memory.ts";
import type { Surface } from "../../http/surface.ts";
import type { Catalogue } from "../../store/catalogue.ts";
import { addPet } from "../pets/add-pet.ts";
import { getPet } from "../pets/get-pet.ts";
import { listPets } from "./list-pets.ts";

export function createV1(options: {
	catalogue: Catalogue;
	authenticate: Surface["authenticate"];
	memory: ReplyMemory;
	/** Called for each list; says whether its page was cached. */
	onPage: (isCached: boolean) => void;
}): Surface {
	const { catalogue, authenticate, memory, onPage } = options;
	const handlers = {
		listPets: listPets(catalogue, memory, onPage),
		createPet: addPet(catalogue, `${v1.prefix}/pets/`, petToJson),
		getPet: getPet(catalogue, petToJson),
	};
	return {
		prefix: v1.prefix,
		authenticate,
		headers: jsonHeaders,
		routes: toRoutes(v1, jsonHeaders, handlers),
	};
}
