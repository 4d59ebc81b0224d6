// The surface that needs no key: whether the service runs and can serve, its OpenAPI document, and the pages for browsers.

import type { OpenApiVersion } from "../../contract/openapi/document.ts";
import { httpStatus } from "../../contract/operation.ts";
import { unavailable } from "../../domain/errors.ts";
import { toDocumentRoute } from "../../http/operation-routes.ts";
import { jsonHeaders } from "../../http/reply.ts";
import { anonymous, type Route, type Surface } from "../../http/surface.ts";

export function createProbes(options: {
	ping: () => Promise<void>;
	/** Whether the service has been told to stop; then it is not ready, but still answers. */
	isStopping: () => boolean;
	/** The OpenAPI document as JSON text. */
	openapi: (version: OpenApiVersion) => string;
	/** Those of the pages, which need no key either. */
	pages: readonly Route[];
}): Surface {
	const { ping, isStopping, openapi, pages } = options;

	async function readiness(): Promise<string> {
		if (isStopping()) throw unavailable("The service is stopping.");
		await ping();
		return health;
	}

	return {
		prefix: "",
		authenticate: () => anonymous,
		headers: jsonHeaders,
		routes: [
			...pages,
			get("/healthz", async () => health),
			get("/readyz", readiness),
			toDocumentRoute("/openapi.json", jsonHeaders, openapi),
		],
	};
}

function get(path: string, read: () => Promise<string>): Route {
	return {
		method: "GET",
		path,
		headers: jsonHeaders,
		handle: async ({ headers }) => ({
			status: httpStatus.ok,
			headers,
			body: await read(),
		}),
	};
}

const health = JSON.stringify({ status: "ok" });
