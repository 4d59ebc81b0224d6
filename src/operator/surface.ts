// `/operator/v1`: the operations of the operator interface, each with the function that does it.
import {
	type OperatorOperationId,
	operator,
} from "../contract/operator/interface.ts";
import { toRoutes } from "../http/operation-routes.ts";
import type { Route, Surface } from "../http/surface.ts";
import { getPet } from "../pets/get-pet.ts";
import type { Catalogue } from "../store/catalogue.ts";
import type { Usage } from "../store/usage.ts";
import { readUsage } from "./usage/read-usage.ts";

export function createOperator(options: {
	catalogue: Catalogue;
	usage: Usage;
	/** Adds the counts of this process to the usage. */
	flushUsage: () => Promise<void>;
	authenticate: Surface["authenticate"];
}): Surface {
	const { catalogue, usage, flushUsage, authenticate } = options;
	const handlers: Readonly<Record<OperatorOperationId, Route["handle"]>> = {
		readPet: getPet(catalogue),
		readUsage: readUsage(usage, flushUsage),
	};
	return {
		prefix: operator.prefix,
		authenticate,
		headers: operatorHeaders,
		isSameOriginOnly: true,
		routes: toRoutes(operator, operatorIds, operatorHeaders, handlers),
	};
}

const operatorIds = Object.keys(operator.operations).filter(
	(id): id is OperatorOperationId => id in operator.operations,
);

/** Without CORS headers: a browser sends the cookie of a session by itself, so scripts of other origins must not read these replies. */
const operatorHeaders = new Headers({
	"Content-Type": "application/json",
	"X-Content-Type-Options": "nosniff",
});
