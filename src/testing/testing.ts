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

export type { OwnPet } from "../client/pet.ts";
export type {
	Control,
	FaultRule,
	RequestFilter,
	Start,
} from "./control.ts";
export type { RecordedRequest } from "./recorded-request.ts";

export interface StartOptions extends Start {
	/** Delay of every request to `/v1` and `/operator/v1`, in milliseconds. */
	readonly delay?: number | undefined;
	/** The API key; `sandbox` if not given. */
	readonly key?: string | undefined;
	/** Fault rules at the start. */
	readonly faults?: readonly FaultRule[] | undefined;
}

export interface Petstore extends Control, AsyncDisposable {
	/** Its address, without `/v1`. */
	readonly url: string;
	/** An API key with the scope `operator`. */
	readonly key: string;
	/** A client of this store. */
	readonly client: Client;
	/** Stops the store; resolves when its process has exited. Can be called twice. */
	readonly stop: () => Promise<void>;
}

/** Starts a store. Resolves when it answers; rejects with the process's message if it does not start. */
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
		// Even without rules: a first request makes both processes load what later ones need.
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

/** Node.js 20 has this symbol, but the contexts of Jest's tests do not. */
const asyncDispose: typeof Symbol.asyncDispose =
	Symbol.asyncDispose ?? Symbol.for("nodejs.asyncDispose");
