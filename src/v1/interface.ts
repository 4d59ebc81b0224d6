// `/v1`, for clients: the three operations that the interface document describes.
import { toRoutes } from "../http/operations.ts";
import { jsonHeaders } from "../http/reply.ts";
import type { Surface } from "../http/surface.ts";
import { errorOf } from "../interface/errors.ts";
import type { Interface } from "../interface/operation.ts";
import { add } from "./add.ts";
import { get } from "./get.ts";
import { list } from "./list.ts";
import {
	type ClientService,
	interfaceVersion,
	versionPrefix,
} from "./operation.ts";
import { openReplies } from "./replies.ts";

const pets = {
	tag: "pets",
	description: "The catalogue of animals.",
	operations: { listPets: list, createPet: add, getPet: get },
};

/** Used twice: renderers show the document's description and the key's in different places. */
const howToGetKey =
	"The operator of the service creates keys with `petstore keys create --name NAME`, which shows a key once.";

export const v1: Interface = {
	prefix: versionPrefix,
	title: "Pet Store",
	version: interfaceVersion,
	summary: "A catalogue of animals: list, add, get one.",
	description:
		`List the animals, get one by its id, add one. Every request needs an API key. ${howToGetKey} ` +
		"Ids are 64-bit integers: read and write them with every digit.\n\n" +
		"Parts marked `x-addition` are promises beyond the interface document; a client need not know them. " +
		"Every path with GET answers HEAD; OPTIONS gets a 204. With a key, an unknown path gets a 404 and another method a 405, with an Error body.",
	howToGetKey,
	authentication: `The API key is the bearer token. ${howToGetKey}`,
	resources: [pets],
	error: errorOf({}),
	marksAdditions: true,
};

export function createV1(
	service: Omit<ClientService, "replies"> & Pick<Surface, "authenticate">,
): Surface {
	return {
		prefix: versionPrefix,
		authenticate: service.authenticate,
		headers: jsonHeaders,
		routes: toRoutes(versionPrefix, jsonHeaders, [pets], {
			...service,
			replies: openReplies(service.catalogue.state),
		}),
	};
}
