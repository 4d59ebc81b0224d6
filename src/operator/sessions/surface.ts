// `/operator/v1/sessions`: signing in and out. A surface of its own, since its operations need no key before.
import { operator } from "../../contract/operator/interface.ts";
import type { SessionOperationId } from "../../contract/operator/sessions.ts";
import { toRoutes } from "../../http/operation-routes.ts";
import { anonymous, type Route, type Surface } from "../../http/surface.ts";
import { operatorHeaders } from "../headers.ts";
import { readSession, signOut } from "./current.ts";
import { type SignInOptions, signIn } from "./sign-in.ts";

export function createSessions(options: SignInOptions): Surface {
	const handlers: Readonly<Record<SessionOperationId, Route["handle"]>> = {
		signIn: signIn(options),
		readSession: readSession(options),
		signOut: signOut(options),
	};
	const ids = ["signIn", "readSession", "signOut"] as const;
	const routes = toRoutes(operator, ids, operatorHeaders, handlers);
	return {
		prefix: operator.prefix + below,
		authenticate: () => anonymous,
		headers: operatorHeaders,
		isSameOriginOnly: true,
		routes: routes.map((route) => ({
			...route,
			path: route.path.slice(below.length),
		})),
	};
}

/** What the paths of its operations begin with in the interface. */
const below = "/sessions";
