/// <reference lib="esnext.disposable" preserve="true" />
// petstore-service/testing: starts a pet store for tests, from any test runner, as a process that ends with the test process.
// It runs in Node.js and Bun, and imports only the client.
import { type Client, createClient } from "../client/client.ts";
import { requireKnown } from "../client/options.ts";
import {
	type Control,
	createControl,
	type FaultRule,
	type Start,
} from "./control.ts";
import { startSandbox } from "./process.ts";

export type {
	Control,
	FaultRule,
	OwnPet,
	RequestFilter,
	Start,
} from "./control.ts";
export type { RecordedRequest } from "./recorded-request.ts";

export interface StartOptions extends Start {
	/** How long every request to `/v1` and `/operator/v1` waits, in milliseconds. */
	readonly delay?: number | undefined;
	/** The API key; `sandbox` if not given. */
	readonly key?: string | undefined;
	/** The rules that are set at the start. */
	readonly faults?: readonly FaultRule[] | undefined;
}

export interface Petstore extends Control, AsyncDisposable {
	/** Its address, without `/v1`. */
	readonly url: string;
	/** An API key that may read and write. */
	readonly key: string;
	/** A client for it. */
	readonly client: Client;
	/** Resolves when the process has ended. A second call changes nothing. */
	readonly stop: () => Promise<void>;
}

/** Resolves when it answers. Rejects with the sentence that the process has printed, if it does not start. */
export async function startPetstore(
	options: StartOptions = {},
): Promise<Petstore> {
	requireKnown(options, ["pets", "seed", "delay", "key", "faults"]);
	const { faults = [], pets, ...start } = options;
	const demo = typeof pets === "object" ? 0 : pets;
	const { url, key, stop } = await startSandbox({ ...start, pets: demo });
	const control = createControl(url);
	try {
		if (typeof pets === "object") await control.reset({ pets });
		// Even without rules: after a first request both processes have loaded what the next ones need.
		await control.faults(faults);
	} catch (error) {
		await stop();
		throw error;
	}
	return {
		...control,
		url,
		key,
		client: createClient({ url, key }),
		stop,
		[asyncDispose]: stop,
	};
}

/** Node.js 20 has this symbol, but not in the contexts in which Jest runs tests. */
const asyncDispose: typeof Symbol.asyncDispose =
	Symbol.asyncDispose ?? Symbol.for("nodejs.asyncDispose");
