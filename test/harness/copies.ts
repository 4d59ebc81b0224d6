// Several copies of the service on one port of this machine, each with an operator address of its own.
import { freePort } from "./free-port.ts";
import { type ProcessOptions, type Running, serve } from "./process.ts";

export interface Copy extends Running {
	readonly url: string;
	readonly operatorUrl: string;
}

export const apiKey = "a-key-known-to-the-tests";

export async function openCopies(
	args: readonly string[],
	{ env, ...options }: ProcessOptions,
) {
	const port = String(await freePort());
	const url = `http://127.0.0.1:${port}`;
	return {
		url,
		async start(): Promise<Copy> {
			const service = await serve(
				[
					...["--port", port, "--reuse-port"],
					...["--operator-address", "127.0.0.1:0", ...args],
				],
				{ ...options, env: { PETSTORE_API_KEY: apiKey, ...env } },
			);
			const [, operatorUrl = ""] =
				/"operatorUrl":"([^"]+)"/.exec(service.output().stderr) ?? [];
			return { ...service, operatorUrl };
		},
		/** Sends a request over a new connection, which any copy may get. */
		call: (path: string, init: RequestInit = {}) =>
			fetch(url + path, {
				...init,
				keepalive: false,
				headers: { Authorization: `Bearer ${apiKey}`, ...init.headers },
			}),
	};
}
