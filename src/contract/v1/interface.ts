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
		"HEAD is answered wherever GET is, and OPTIONS with a 204. To a caller with a key, any other path is a 404 and any other method a 405, with an Error body.",
	howToGetKey,
	authentication: `The API key is the bearer token. ${howToGetKey}`,
	tags: { pets: "The catalogue of animals." },
	operations,
	schemas,
	marksAdditions: true,
};
