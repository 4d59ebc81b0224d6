// `/operator/v1`: the operations of the operator interface, each with the function that does it. sessions/ has those that need no key.
import {
	type OperatorOperationId,
	operator,
} from "../contract/operator/interface.ts";
import type { SessionOperationId } from "../contract/operator/sessions.ts";
import { toRoutes } from "../http/operation-routes.ts";
import type { Route, Surface } from "../http/surface.ts";
import { getPet } from "../pets/get-pet.ts";
import type { Catalogue } from "../store/catalogue.ts";
import type { Keys } from "../store/keys.ts";
import type { Usage } from "../store/usage.ts";
import { operatorHeaders } from "./headers.ts";
import { createKeyHandlers } from "./keys/handlers.ts";
import { readUsage } from "./usage/read-usage.ts";

export function createOperator(options: {
	catalogue: Catalogue;
	keys: Keys;
	usage: Usage;
	/** Adds the counts of this process to the usage. */
	flushUsage: () => Promise<void>;
	authenticate: Surface["authenticate"];
}): Surface {
	const { catalogue, keys, usage, flushUsage, authenticate } = options;
	const handlers: Readonly<Record<OwnOperationId, Route["handle"]>> = {
		readPet: getPet(catalogue),
		...createKeyHandlers(keys),
		readUsage: readUsage(usage, flushUsage),
	};
	return {
		prefix: operator.prefix,
		authenticate,
		headers: operatorHeaders,
		isSameOriginOnly: true,
		routes: toRoutes(operator, ownIds, operatorHeaders, handlers),
	};
}

type OwnOperationId = Exclude<OperatorOperationId, SessionOperationId>;

const ownIds = Object.entries(operator.operations).flatMap(([id, { scope }]) =>
	isOwn(id) && scope !== undefined ? [id] : [],
);

function isOwn(id: string): id is OwnOperationId {
	return id in operator.operations;
}
