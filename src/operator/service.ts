// What the operations for operators work with.
import { noSocket } from "../http/source.ts";
import type { Call } from "../http/surface.ts";
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
}

export const operation = operationsOf<OperatorService, Call>();
export type OperatorOperation = Operation<OperatorService, Call>;
export type OperatorResource = Resource<OperatorService, Call>;

export function openService(store: Store): OperatorService {
	return { store, counts: createCounts(store.catalogue) };
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
