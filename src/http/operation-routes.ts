// The routes of an interface: its operations with their handlers, and its OpenAPI document.
import {
	type OpenApiVersion,
	openApiVersion,
	openApiVersions,
} from "../contract/openapi/document.ts";
import type { Interface, Operation } from "../contract/operation.ts";
import { readParameter } from "../contract/parameter.ts";
import { withHeaders } from "./reply.ts";
import type { Route } from "./surface.ts";

export function toRoutes(
	{ prefix, operations }: Pick<Interface, "prefix" | "operations">,
	common: Headers,
	handlers: Readonly<Partial<Record<string, Route["handle"]>>>,
): readonly Route[] {
	return Object.entries(operations).flatMap(([operationId, operation]) => {
		const handle = handlers[operationId];
		if (handle === undefined) return [];
		const { method, path, scope } = operation;
		const { status } = operation.success;
		const headers = toOperationHeaders(common, prefix, operation);
		return [{ operationId, method, path, scope, status, headers, handle }];
	});
}

export function toOperationHeaders(
	common: Headers,
	prefix: string,
	{ method, deprecation }: Operation,
): Headers {
	return withHeaders(common, {
		...(method === "GET" && { "Cache-Control": "private, no-cache" }),
		...(deprecation && {
			Deprecation: `@${deprecation.since.getTime() / 1000}`,
			Sunset: deprecation.sunset.toUTCString(),
			Link: `<${prefix}${deprecation.successor}>; rel="successor-version"`,
		}),
	});
}

export function toDocumentRoute(
	path: string,
	headers: Headers,
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
			const body = documents.getOrInsertComputed(version, () =>
				Buffer.from(openapi(version)),
			);
			return { body };
		},
	};
}
