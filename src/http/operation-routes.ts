// The routes of an interface: its operations, each with the function that does it.
import type { Interface } from "../contract/interface.ts";
import type { Operation } from "../contract/operation.ts";
import { toOperationHeaders } from "./reply.ts";
import type { Route } from "./surface.ts";

export function toRoutes<Id extends string>(
	{ prefix, operations }: Pick<Interface<NoInfer<Id>>, "prefix" | "operations">,
	/** Those to serve. */
	operationIds: readonly Id[],
	/** What all replies of the interface carry. */
	common: Headers,
	handlers: Readonly<Record<Id, Route["handle"]>>,
): readonly Route[] {
	return operationIds.map((id) => {
		const operation: Operation = operations[id];
		const { method, path, scope } = operation;
		const headers = toOperationHeaders(common, prefix, operation);
		return {
			operationId: id,
			method,
			path,
			scope,
			headers,
			handle: handlers[id],
		};
	});
}
