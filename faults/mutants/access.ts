// Faults in keys, sessions and signing in.
import { type Variant, variant } from "../../test/harness/variant.ts";

export const accessMutants: readonly Variant[] = [
	variant(
		"a page of another site may change something with a cookie",
		"src/auth/site.ts",
		"requireSameOrigin",
		() => () => {},
	),
	variant(
		"a page at another port of the same host counts as our own",
		"src/auth/site.ts",
		"requireSameOrigin",
		(requireSameOrigin) => (request, site) => {
			const headers = new Headers(request.headers);
			const { protocol, hostname } =
				URL.parse(headers.get("Origin") ?? "") ?? {};
			const [host = "", port] = (headers.get("Host") ?? "").split(":");
			if (hostname === host)
				headers.set("Origin", `${protocol}//${host}:${port}`);
			return requireSameOrigin(new Request("http://x.test", { headers }), site);
		},
	),
	variant(
		"people sign in over plain HTTP from anywhere",
		"src/auth/site.ts",
		"requireSafeTransport",
		() => (_request, site) => ({ isTls: site.hasTls }),
	),
	variant(
		"scripts can read the cookie of a session",
		"src/auth/sessions.ts",
		"toSetCookie",
		(toSetCookie) => (cookie) => toSetCookie(cookie).replace(" HttpOnly;", ""),
	),
	variant(
		"the cookie for TLS is also sent without",
		"src/auth/sessions.ts",
		"toSetCookie",
		(toSetCookie) => (cookie) => toSetCookie(cookie).replace(" Secure;", ""),
	),
	variant(
		"the session of a revoked key goes on",
		"src/store/sessions.ts",
		"toSessionEnd",
		(toSessionEnd) => (session, now) => {
			const key = session.key && { ...session.key, revokedAt: undefined };
			return toSessionEnd({ ...session, key }, now);
		},
	),
	variant(
		"a session does not end by its age",
		"src/store/sessions.ts",
		"toSessionEnd",
		(toSessionEnd) => (session, now) => {
			const ageless = { ...session, createdAt: now, lastUsedAt: now };
			return toSessionEnd(ageless, now);
		},
	),
	variant(
		"signing out only clears the cookie",
		"src/auth/sessions.ts",
		"createSessionAuthentication",
		(createSessionAuthentication) => (options) => ({
			...createSessionAuthentication(options),
			end: async () => {},
		}),
	),
	variant(
		"any key signs in",
		"src/operator/sessions.ts",
		"createSessions",
		(createSessions) => (options) =>
			createSessions({
				...options,
				identify: async (key, now) => ({
					...(await options.identify(key, now)),
					scope: "operator",
				}),
			}),
	),
	variant(
		"wrong attempts to sign in are not counted",
		"src/operator/sessions.ts",
		"createAttempts",
		() => () => (failure) => failure,
	),
	variant(
		"a link signs in more than once",
		"src/store/sessions.ts",
		"openSessions",
		(openSessions) =>
			(...given) => {
				const sessions = openSessions(...given);
				const useLink: typeof sessions.useLink = async (hash, at) => {
					const isValid = await sessions.useLink(hash, at);
					if (isValid) await sessions.addLink({ hash, expiresAt: at + 1_000 });
					return isValid;
				};
				return { ...sessions, useLink };
			},
	),
];
