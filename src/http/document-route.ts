// The route of an OpenAPI document. `?version=` chooses between the versions of OpenAPI.
import {
	type OpenApiVersion,
	openApiVersion,
	openApiVersions,
} from "../contract/openapi/version.ts";
import { httpStatus } from "../contract/operation.ts";
import { readParameter } from "../contract/parameter.ts";
import type { Route } from "./surface.ts";

export function toDocumentRoute(
	path: string,
	headers: Headers,
	/** The document as JSON text. */
	openapi: (version: OpenApiVersion) => string,
): Route {
	return {
		method: "GET",
		path,
		headers,
		handle: ({ query }) => ({
			status: httpStatus.ok,
			headers,
			body: openapi(readParameter(query, openApiVersion) ?? openApiVersions[0]),
		}),
	};
}
