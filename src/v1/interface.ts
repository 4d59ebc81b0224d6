// `/v1`, for clients: the three operations that the interface document describes.
import type { Interface } from "../contract/operation.ts";
import { schemas } from "../contract/schemas.ts";
import { toRawRoutes } from "../http/operation-routes.ts";
import { jsonHeaders } from "../http/reply.ts";
import type { Surface } from "../http/surface.ts";
import { toPart } from "../interface/part.ts";
import { add } from "./add.ts";
import { get } from "./get.ts";
import { list } from "./list.ts";
import {
	type ClientService,
	interfaceVersion,
	versionPrefix,
} from "./service.ts";

export const operations = { listPets: list, createPet: add, getPet: get };

/** Used twice: renderers show the document's description and the key's in different places. */
const howToGetKey =
	"The operator of the service creates keys with `petstore keys create --name NAME`, which shows a key once.";

const pets = toPart({
	tag: "pets",
	description: "The catalogue of animals.",
	operations,
});

export const v1: Interface<keyof typeof operations> = {
	prefix: versionPrefix,
	title: "Pet Store",
	version: interfaceVersion,
	summary: "A catalogue of animals: list, add, get one.",
	description:
		`Every operation needs an API key. ${howToGetKey} ` +
		"Parts marked `x-addition` are promises beyond the interface document; a client need not know them. " +
		"Every path with GET answers HEAD; OPTIONS gets a 204. With a key, an unknown path gets a 404 and another method a 405, with an Error body.",
	howToGetKey,
	authentication: `The API key is the bearer token. ${howToGetKey}`,
	tags: pets.tags,
	operations: pets.operations,
	schemas: { ...pets.schemas, Error: schemas.Error },
	marksAdditions: true,
};

export function createV1(
	service: ClientService,
	authenticate: Surface["authenticate"],
): Surface {
	return {
		prefix: versionPrefix,
		authenticate,
		headers: jsonHeaders,
		routes: toRawRoutes(versionPrefix, jsonHeaders, operations, service),
	};
}
