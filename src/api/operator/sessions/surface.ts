// `/operator/v1/sessions`: sign-in and sign-out. A surface of its own, since its operations need no key.
import { readCookie, toSetCookie } from "../../../auth/session-cookie.ts";
import { refuseOtherSites, requireSameOrigin } from "../../../auth/site.ts";
import type { SessionOperationId } from "../../../contract/operator/sessions.ts";
import { toTimeText } from "../../../domain/time.ts";
import { toRoutes } from "../../../http/operation-routes.ts";
import { operatorHeaders } from "../../../http/reply.ts";
import { anonymous, type Route, type Surface } from "../../../http/surface.ts";
import { operator } from "../../../operator/interface.ts";
import { toJsonReply } from "../replies.ts";
import { type SignInOptions, signIn } from "./sign-in.ts";

export function createSessions(options: SignInOptions): Surface {
	const { site, authentication } = options;
	const handlers: Readonly<Record<SessionOperationId, Route["handle"]>> = {
		signIn: signIn(options),

		async readSession({ request }) {
			refuseOtherSites(request);
			const cookie = readCookie(request, site);
			const session = cookie && (await authentication.find(cookie));
			const { key, name, endsAt } = session ?? {};
			return toJsonReply({
				signedIn: session !== undefined,
				key: key && { id: key.id, name: key.name },
				name,
				expiresAt: endsAt && toTimeText(endsAt),
			});
		},

		async signOut({ request }) {
			const cookie = readCookie(request, site);
			if (cookie === undefined) return {};
			requireSameOrigin(request, site);
			await authentication.end(cookie);
			const cleared = toSetCookie({ ...cookie, token: "" });
			return { own: { "Set-Cookie": cleared } };
		},
	};
	const routes = toRoutes(operator, operatorHeaders, handlers);
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

/** The start of these paths in the interface. */
const below = "/sessions";
