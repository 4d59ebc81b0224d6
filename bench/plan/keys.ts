// The API keys that requests are sent with. They are made anew for each run.
import { generateKey } from "../../src/domain/api-key.ts";

/** Stored in every catalogue of the service, as the keys of several clients. The requests of a load have them in turn. */
export const storedKeys = Array.from({ length: 4 }, generateKey);

export const clientKeys: readonly string[] = storedKeys.map(({ key }) => key);

/** The only key of servers that check one. They read it from the environment. */
export const peerKey = generateKey().key;
