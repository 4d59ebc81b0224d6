// What the operations of clients work with.
import type { Reply } from "../http/reply.ts";
import type { Call, Identity } from "../http/surface.ts";
import type { RawOperation } from "../interface/operation.ts";
import type { Catalogue } from "../store/catalogue.ts";

export const versionPrefix = "/v1";
export const interfaceVersion = "1.0.0";

export interface ClientService {
	readonly catalogue: Catalogue;
	/** Called for each list; says whether its page was cached. */
	readonly onPage: (isCached: boolean) => void;
	/** Called for each call of a deprecated operation. */
	readonly onDeprecatedCall: (caller: Identity) => void;
}

export type ClientOperation = RawOperation<ClientService, Call, Reply>;
