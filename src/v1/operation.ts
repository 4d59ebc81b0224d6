// What the operations of clients share.
import { maxPageSize } from "../domain/pet/cursor.ts";
import { list } from "../domain/types/object.ts";
import type { Reply } from "../http/reply.ts";
import type { Call, Identity } from "../http/surface.ts";
import type { RawOperation } from "../interface/operation.ts";
import type { Catalogue } from "../store/animals/catalogue.ts";
import { petType } from "./pet.ts";
import type { Replies } from "./replies.ts";

export const versionPrefix = "/v1";
export const interfaceVersion = "1.0.0";

export interface ClientService {
	readonly catalogue: Catalogue;
	readonly replies: Replies;
	/** How many a sandbox had: a part of the cursors and ETags of lists, so that a reset makes the earlier ones invalid. */
	readonly resets: (() => string) | undefined;
	readonly recordDeprecatedUse: (caller: Identity) => void;
}

export type ClientOperation = RawOperation<ClientService, Call, Reply>;

const pets = list(petType, maxPageSize);
const titled = { title: "Pets", description: "Animals, newest first." };
export const Pets = { ...pets, schema: { ...titled, ...pets.schema } };
