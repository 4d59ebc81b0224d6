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
	/** All callers get the same bytes. */
	const documents = new Map<OpenApiVersion, Uint8Array<ArrayBuffer>>();
	return {
		method: "GET",
		path,
		headers,
		handle({ query }) {
			const version =
				readParameter(query, openApiVersion) ?? openApiVersions[0];
			const body = documents.get(version) ?? Buffer.from(openapi(version));
			documents.set(version, body);
			return { status: httpStatus.ok, headers, body };
		},
	};
}
