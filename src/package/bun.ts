// The entry of `petstore-service` in Bun.
import { openPetstore as open } from "../petstore.ts";
import type { OpenPetstore } from "./without-bun.ts";

export type { Petstore, PetstoreOptions } from "./without-bun.ts";

export const openPetstore: OpenPetstore = async (options) => {
	const { url, stop } = await open(options);
	return { url, stop: () => stop() };
};
