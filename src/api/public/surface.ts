// The surface without a key: health, readiness, the OpenAPI document, and the pages for browsers.
import type { OpenApiVersion } from "../../contract/openapi/document.ts";
import { unavailable } from "../../domain/errors.ts";
import { toDocumentRoute } from "../../http/operation-routes.ts";
import { jsonHeaders } from "../../http/reply.ts";
import { anonymous, type Route, type Surface } from "../../http/surface.ts";

export function createPublic(options: {
	ping: () => Promise<void>;
	/** A stopping service is not ready, but still answers. */
	isStopping: () => boolean;
	openapi: (version: OpenApiVersion) => string;
	pages: readonly Route[];
}): Surface {
	const { ping, isStopping, openapi, pages } = options;
	return {
		prefix: "",
		authenticate: () => anonymous,
		headers: jsonHeaders,
		routes: [
			...pages,
			probe("/healthz", async () => {}),
			probe("/readyz", async () => {
				if (isStopping())
					throw unavailable("The service is stopping; try again.");
				await ping();
			}),
			toDocumentRoute("/openapi.json", jsonHeaders, openapi),
		],
	};
}

function probe(path: string, check: () => Promise<void>): Route {
	return {
		method: "GET",
		path,
		headers: jsonHeaders,
		async handle() {
			await check();
			return { body: '{"status":"ok"}' };
		},
	};
}
