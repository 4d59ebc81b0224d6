// `/v1`, which the interface document describes.
import type { Interface } from "../operation.ts";
import { schemas } from "../schemas.ts";
import {
	interfaceVersion,
	type OperationId,
	operations,
	versionPrefix,
} from "./operations.ts";

/** Used twice: renderers show the document's description and the key's in different places. */
const howToGetKey =
	"The operator of the service creates keys with `petstore keys create --name NAME`, which shows a key once.";

export const v1: Interface<OperationId> = {
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
	tags: { pets: "The catalogue of animals." },
	operations,
	schemas,
	marksAdditions: true,
};
