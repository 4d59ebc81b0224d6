// The versions of OpenAPI in which the document is published, and the query parameter that chooses one.
import { oneOf } from "../parameter.ts";

/** The first is the default. */
export const openApiVersions = ["3.1", "3.0"] as const;
export type OpenApiVersion = (typeof openApiVersions)[number];

export const openApiVersion = oneOf({
	name: "version",
	description: "The version of OpenAPI.",
	values: openApiVersions,
	schema: { type: "string", enum: openApiVersions },
	example: "3.1",
});
