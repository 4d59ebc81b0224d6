// Who calls: the cookie of a session, if the request has no Authorization header.

import { toAuthor } from "../domain/access/author.ts";
import { hashSecret, isToken } from "../domain/access/secret.ts";
import type { Awaitable } from "../domain/async.ts";
import { Failure } from "../domain/errors.ts";
import { type Identity, ofLink } from "../http/surface.ts";
import type { Keys } from "../store/access/keys.ts";
import {
	type Session,
	type Sessions,
	toSessionEnd,
} from "../store/access/sessions.ts";
import {
	challenge,
	createKeyAuthentication,
	createLookupCache,
	createUseRecord,
	toKeyCaller,
} from "./keys.ts";
import { hasLocalHost, requireSameOrigin, type Site } from "./site.ts";

export type Authentication = ReturnType<typeof createAuthentication>;
export type SessionAuthentication = Authentication["bySession"];

/** By key, and by key or session. */
export function createAuthentication({
	store: { keys, sessions },
	site,
	...options
}: {
	store: { keys: Keys; sessions: Sessions };
	site: Site;
} & Omit<Parameters<typeof createKeyAuthentication>[0], "keys">) {
	const { report, clock = Date.now } = options;
	const byKey = createKeyAuthentication({ ...options, keys });
	const active = createLookupCache("session", findActive, options.cacheMs);
	const recordUse = createUseRecord("session", sessions.recordUse, report);

	async function findActive(token: string): Promise<ActiveSession> {
		const session = await sessions.find(hashSecret(token));
		if (session === undefined) throw endedSession;
		const endsAt = toSessionEnd(session, clock());
		return { ...session, identity: toIdentity(session), endsAt };
	}

	async function lookUp({ token }: SessionCookie): Promise<ActiveSession> {
		if (!isToken(token)) throw endedSession;
		const known = active.get(token, performance.now());
		const session = await (known ?? active.read(token));
		// A cached session may have ended since it was read.
		if (session.endsAt <= clock()) throw endedSession;
		return session;
	}

	function use({ hash, identity }: ActiveSession): Identity {
		recordUse(hash, clock());
		return identity;
	}

	const bySession = {
		/** For surfaces that accept keys and sessions. */
		authenticate(
			request: Request,
			arrivedAt: number,
		): Awaitable<Identity | Failure> {
			const cookie = request.headers.has("authorization")
				? undefined
				: readCookie(request, site);
			if (cookie === undefined) return byKey.authenticate(request, arrivedAt);
			if (!["GET", "HEAD"].includes(request.method))
				requireSameOrigin(request, site);
			return lookUp(cookie).then(use);
		},
		/** Undefined if it has ended or never existed. This does not prolong the session. */
		async find(cookie: SessionCookie): Promise<ActiveSession | undefined> {
			try {
				return await lookUp(cookie);
			} catch (error) {
				if (error === endedSession) return undefined;
				throw error;
			}
		},
		/** Ends the session: in this process at once, in others within `keyCacheMs`. */
		async end({ token }: SessionCookie): Promise<void> {
			if (!isToken(token)) return;
			await sessions.delete(hashSecret(token));
			active.forget(token);
		},
	};
	return { byKey, bySession, site };
}

interface ActiveSession extends Session {
	readonly identity: Identity;
	readonly endsAt: number;
}

const endedSession = new Failure(
	"unauthenticated",
	"The session has ended; sign in again.",
	{ headers: challenge },
);

function toIdentity({ hash, key, name }: Session): Identity {
	const scope = "operator";
	if (key) return { ...toKeyCaller(key), scope };
	const author = toAuthor("link", name);
	return { keyHash: hash, keyId: ofLink, author, scope };
}

/** If its name has a prefix, browsers send it only over TLS and only to this host. */
export interface SessionCookie {
	readonly name: CookieName;
	/** The token of the session; "" in a cookie to clear. */
	readonly token: string;
}

type CookieName = "__Host-petstore" | "petstore";

export function toCookie(token: string, isTls: boolean): SessionCookie {
	return { name: isTls ? "__Host-petstore" : "petstore", token };
}

export function toSetCookie({ name, token }: SessionCookie): string {
	const secure = name === "petstore" ? "" : " Secure;";
	const cookie = `${name}=${token}; Path=/;${secure} HttpOnly; SameSite=Strict`;
	return token === "" ? `${cookie}; Max-Age=0` : cookie;
}

/** A cookie without the prefix counts only at a local Host. Behind a proxy it never counts: many proxies send their own Host. */
export function readCookie(
	request: Request,
	{ hasTls, proxyOrigin }: Site,
): SessionCookie | undefined {
	const sent = request.headers.get("cookie");
	if (sent === null) return undefined;
	if (hasTls || proxyOrigin !== undefined) return find(sent, "__Host-petstore");
	return hasLocalHost(request) ? find(sent, "petstore") : undefined;
}

/**
 * Only a space or a tab may come before a name: another site may set a cookie without the prefix whose name begins with other white space.
 * A name that occurs twice counts as absent, since another site may have set one of them.
 */
function find(sent: string, name: CookieName): SessionCookie | undefined {
	const [pair, second] = sent.matchAll(pairs[name]);
	return pair === undefined || second !== undefined
		? undefined
		: { name, token: pair[1] ?? "" };
}

/** The header is not split into pairs, since anyone can send thousands. */
const pairs: Readonly<Record<CookieName, RegExp>> = {
	"__Host-petstore": /(?:^|;[ \t]*)__Host-petstore=([^;]*)/g,
	petstore: /(?:^|;[ \t]*)petstore=([^;]*)/g,
};
