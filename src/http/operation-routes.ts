// The routes of an interface: its operations, each with the function that does it.
import type { Interface } from "../contract/interface.ts";
import { toOperationHeaders } from "./reply.ts";
import type { Route } from "./surface.ts";

export function toRoutes<Id extends string>(
	{ prefix, operations }: Interface<Id>,
	/** Those to serve. */
	operationIds: readonly Id[],
	/** What all replies of the interface carry. */
	common: Headers,
	handlers: Readonly<Record<Id, Route["handle"]>>,
): readonly Route[] {
	return operationIds.map((id) => ({
		operationId: id,
		method: operations[id].method,
		path: operations[id].path,
		scope: operations[id].scope,
		headers: toOperationHeaders(common, prefix, operations[id]),
		handle: handlers[id],
	}));
}
