// `petstore-service` in other runtimes, which cannot run the service. It exports the same name, since the import of a name that is not
// there would fail with another message.
import type { OpenPetstore } from "./interface.ts";

export type { Petstore, PetstoreOptions } from "./interface.ts";

export const openPetstore: OpenPetstore = () => Promise.reject(explain());

throw explain();

function explain(): Error {
	return new Error(
		'The service runs in Bun only: run this program with "npx bun", start the service with "npx petstore serve", or import "petstore-service/testing" in tests.',
	);
}
