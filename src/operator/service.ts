// What the operations for operators work with.
import { ofLink } from "../auth/session-auth.ts";
import { type Authored, byCommandLine } from "../domain/author.ts";
import type { RequestCounts } from "../http/request-counts.ts";
import type { Call, Identity } from "../http/surface.ts";
import { noSocket } from "../http/surface.ts";
import {
	type Operation,
	operationsOf,
	type Resource,
} from "../interface/operation.ts";
import type { Store } from "../store/store.ts";
import { type Counts, createCounts } from "./counts.ts";

export interface OperatorService {
	readonly store: Store;
	readonly counts: Counts;
	readonly backups: {
		readonly folder: string | undefined;
	};
	/** What the process that serves knows; undefined for a command. */
	readonly running?: Running;
}

interface Running {
	/** In milliseconds since 1970. */
	readonly startedAt: number;
	readonly readRequests: RequestCounts["recent"];
}

export const operation = operationsOf<OperatorService, Call>();
export type OperatorOperation = Operation<OperatorService, Call>;
export type OperatorResource = Resource<OperatorService, Call>;

/** For a command. No request waits for it, so its counts take their time. */
export function openService(store: Store): OperatorService {
	return {
		store,
		counts: createCounts(store.catalogue, false),
		backups: { folder: process.env.PETSTORE_BACKUPS ?? "backups" },
	};
}

/** The call of a command: by the person at the command line. */
export const commandCall: Call = {
	request: new Request("http://127.0.0.1/"),
	query: "",
	segment: "",
	identity: { keyHash: "", keyId: undefined, scope: "operator" },
	headers: new Headers(),
	source: noSocket,
};

/** The author and time of a change. */
export function toAuthored({ keyId, name }: Identity): Authored {
	const at = Date.now();
	if (keyId === undefined) return byCommandLine(at);
	if (keyId === ofLink) return { by: { kind: "link", name }, at };
	const key = { kind: "key", id: `${keyId}`, name } as const;
	// A key that is not stored has only a name.
	return {
		by: typeof keyId === "number" ? key : { kind: "key", name: keyId },
		at,
	};
}
