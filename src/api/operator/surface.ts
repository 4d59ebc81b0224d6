// `/operator/v1`: the operations of the operator interface, each with its handler. sessions/ has the operations without a key.
import type { OpenApiVersion } from "../../contract/openapi/document.ts";
import {
	toDocumentRoute,
	toResourceRoutes,
} from "../../http/operation-routes.ts";
import { operatorHeaders } from "../../http/reply.ts";
import { anonymous, type Surface } from "../../http/surface.ts";
import { backups } from "../../operator/backups.ts";
import { categories } from "../../operator/categories.ts";
import { changes } from "../../operator/changes.ts";
import { history } from "../../operator/history.ts";
import { operator } from "../../operator/interface.ts";
import { keys } from "../../operator/keys.ts";
import { pets } from "../../operator/pets.ts";
import type { OperatorService } from "../../operator/service.ts";
import { openService } from "../../operator/service.ts";
import { status } from "../../operator/status.ts";
import type { Store } from "../../store/store.ts";

export function createOperator(
	store: Store,
	options: Required<Pick<OperatorService, "backupFolder" | "running">> & {
		authenticate: Surface["authenticate"];
	},
): Surface {
	const { authenticate, backupFolder, running } = options;
	const service = openService(store, { backupFolder, running });
	return {
		prefix: operator.prefix,
		authenticate,
		headers: operatorHeaders,
		isSameOriginOnly: true,
		routes: [pets, categories, history, changes, keys, status, backups].flatMap(
			(resource) =>
				toResourceRoutes(operator.prefix, operatorHeaders, resource, service),
		),
	};
}

/** The OpenAPI document at `/operator`, which needs no key. No CORS headers here either. */
export function createOperatorDocument(
	openapi: (version: OpenApiVersion) => string,
): Surface {
	return {
		prefix: "/operator",
		authenticate: () => anonymous,
		headers: operatorHeaders,
		isSameOriginOnly: true,
		routes: [toDocumentRoute("/openapi.json", operatorHeaders, openapi)],
	};
}
