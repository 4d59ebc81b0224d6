// The session of the caller: asks about it, and ends it.
import { httpStatus } from "../../contract/operation.ts";
import { toTimeText } from "../../contract/time.ts";
import type { SessionAuthentication } from "../../http/session-auth.ts";
import { readCookie, toSetCookie } from "../../http/session-cookie.ts";
import {
	refuseOtherSites,
	requireSameOrigin,
	type Site,
} from "../../http/site.ts";
import type { Route } from "../../http/surface.ts";

interface CurrentOptions {
	readonly site: Site;
	readonly authentication: SessionAuthentication;
}

export function readSession(options: CurrentOptions): Route["handle"] {
	const { site, authentication } = options;
	return async ({ request, headers }) => {
		refuseOtherSites(request);
		const cookie = readCookie(request, site);
		const session = cookie && (await authentication.find(cookie));
		const body = JSON.stringify(
			session === undefined
				? { signedIn: false }
				: {
						signedIn: true,
						...(session.key && {
							key: { id: session.key.id, name: session.key.name },
						}),
						expiresAt: toTimeText(session.endsAt),
					},
		);
		return { status: httpStatus.ok, headers, body };
	};
}

export function signOut(options: CurrentOptions): Route["handle"] {
	const { site, authentication } = options;
	return async ({ request, headers }) => {
		const status = httpStatus.noContent;
		const cookie = readCookie(request, site);
		if (cookie === undefined) return { status, headers };
		requireSameOrigin(request, site);
		await authentication.end(cookie);
		const cleared = toSetCookie({ ...cookie, token: "" });
		return { status, headers, own: { "Set-Cookie": cleared } };
	};
}
