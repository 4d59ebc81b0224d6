// A store is what the service needs of a database: four small interfaces, which each engine implements.
// Times are milliseconds since 1970. When the engine cannot answer, a method fails with `unavailable`.
import type { StoreFailure } from "../contract/errors.ts";
import type { Archive } from "./archive.ts";
import type { Catalogue } from "./catalogue.ts";
import type { Keys } from "./keys.ts";
import type { Sessions } from "./sessions.ts";
import type { Usage } from "./usage.ts";

export interface Store {
	readonly catalogue: Catalogue;
	readonly keys: Keys;
	readonly sessions: Sessions;
	readonly usage: Usage;
	readonly archive: Archive;
	/** Resolves if queries can be answered now. */
	readonly ping: () => Promise<void>;
	/** Calls `report` when the engine notices by itself that it cannot answer. */
	readonly onFailure: (report: (failure: StoreFailure) => void) => void;
	readonly close: () => Promise<void>;
}

/** The part of a store that commands need which only read. What gives it changes nothing in the database. */
export interface StoreReader {
	readonly keys: Pick<Keys, "list">;
	readonly usage: Pick<Usage, "read">;
	readonly archive: Pick<Archive, "read">;
	readonly close: () => Promise<void>;
}
