// The probes of a platform: whether the service runs, and whether it can answer.
import { unavailable } from "../domain/errors.ts";
import { jsonHeaders } from "./reply.ts";
import type { Route } from "./surface.ts";

export function toProbes(
	ping: () => Promise<void>,
	/** A stopping service is not ready, but still answers. */
	isStopping: () => boolean,
): readonly Route[] {
	return [
		probe("/healthz", async () => {}),
		probe("/readyz", async () => {
			if (isStopping())
				throw unavailable("The service is stopping; try again.");
			await ping();
		}),
	];
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
