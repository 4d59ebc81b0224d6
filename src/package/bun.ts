// The entry of `petstore-service` in Bun.
import { requireKnown } from "../client/options.ts";
import { openPetstore as open } from "../petstore.ts";
import type { OpenPetstore, PetstoreOptions } from "./without-bun.ts";

export type { Petstore, PetstoreOptions } from "./without-bun.ts";

export const openPetstore: OpenPetstore = async (options) => {
	requireOptions(options);
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

/** In JavaScript no compiler finds a misspelt option. */
function requireOptions(options: PetstoreOptions): void {
	requireKnown(options, Object.keys(members));
	for (const [name, known] of Object.entries(members)) {
		const group = Reflect.get(options, name);
		if (known.length > 0 && group !== undefined)
			requireKnown(group, known, `${name} must be an object.`);
	}
}

/** Of each option. */
const members: Readonly<Record<keyof PetstoreOptions, readonly string[]>> = {
	database: [],
	opening: ["create", "poolSize"],
	address: ["host", "port"],
	apiKey: [],
	rateLimit: ["requests", "unit"],
	document: ["baseUrl"],
	log: ["requests"],
	sandbox: ["pets", "seed", "delay", "key", "allowHosts"],
	backups: [],
	backupEveryMs: [],
	backupKeep: [],
};
