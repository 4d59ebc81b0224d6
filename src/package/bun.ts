// The entry of `petstore-service` in Bun.
import { openPetstore as open } from "../petstore.ts";
import type { OpenPetstore } from "./without-bun.ts";

export type { Petstore, PetstoreOptions } from "./without-bun.ts";

export const openPetstore: OpenPetstore = async (options) => {
	const { baseUrl } = options.document ?? {};
	const { host = "127.0.0.1", port = 0 } = options.address ?? {};
	const { url, stop } = await open({
		...options,
		address: { host, port },
		// Without the version prefix and the final slash, as the flag --base-url of the command.
		document: { baseUrl: baseUrl?.replace(/(\/v1)?\/?$/, "") },
	});
	return { url, stop: () => stop() };
};
