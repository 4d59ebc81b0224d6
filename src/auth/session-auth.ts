// Finds out who is calling from the Authorization header or, if there is none, from the cookie of a session.
import { type Awaitable, after } from "../async/awaitable.ts";
import { Failure } from "../domain/errors.ts";
import { hashToken, isToken } from "../domain/token.ts";
import type { Identity, Surface } from "../http/surface.ts";
import {
	type Session,
	type Sessions,
	toSessionEnd,
} from "../store/sessions.ts";
import { challenge } from "./key-auth.ts";
import { createLookupCache, notLookedUp } from "./lookup-cache.ts";
import { readCookie, type SessionCookie } from "./session-cookie.ts";
import { requireSameOrigin, type Site } from "./site.ts";
import { createUseRecord } from "./use-record.ts";

export interface SessionAuthentication {
	/** For surfaces that accept keys and sessions. */
	readonly authenticate: Surface["authenticate"];
	/** The session of the cookie; undefined if it has ended, or never was. This is no use of it, so a page that only asks does not keep it. */
	readonly find: (cookie: SessionCookie) => Promise<ActiveSession | undefined>;
	/** Ends the session of the cookie, on this process at once. */
	readonly end: (cookie: SessionCookie) => Promise<void>;
}

export interface ActiveSession {
	readonly hash: string;
	readonly lastUsedAt: number;
	readonly identity: Identity;
	readonly endsAt: number;
	/** The key that made it, if that is stored. */
	readonly key: Session["key"];
}

export function createSessionAuthentication(options: {
	sessions: Sessions;
	site: Site;
	authenticateByKey: Surface["authenticate"];
	/** Called when the last use of a session could not be recorded. The request is answered all the same. */
	onUnrecordedUse: (error: unknown) => void;
	/** In milliseconds since 1970. */
	clock?: () => number;
}): SessionAuthentication {
	const { sessions, site, authenticateByKey, clock = Date.now } = options;
	const active = createLookupCache(findActive);
	const recordUse = createUseRecord(
		sessions.recordUse,
		options.onUnrecordedUse,
	);

	function authenticate(
		request: Request,
		arrivedAt: number,
	): Awaitable<Identity | Failure> {
		const cookie = request.headers.has("authorization")
			? undefined
			: readCookie(request, site);
		if (cookie === undefined) return authenticateByKey(request, arrivedAt);
		if (!isSafe(request.method)) requireSameOrigin(request, site);
		return after(lookUp(cookie), use, undefined);
	}

	function use(found: ActiveSession): Identity {
		const identity = toIdentity(found, clock);
		recordUse({ id: found.hash, lastUsedAt: found.lastUsedAt }, clock());
		return identity;
	}

	function lookUp({ token }: SessionCookie): Awaitable<ActiveSession> {
		if (!isToken(token)) throw endedSession;
		return active.get(token, performance.now()) ?? active.read(token);
	}

	async function findActive(token: string): Promise<ActiveSession> {
		const session = await sessions
			.find(hashToken(token))
			.catch(notLookedUp("session"));
		if (session === undefined) throw endedSession;
		const found = toActive(session, clock());
		toIdentity(found, clock);
		return found;
	}

	return {
		authenticate,
		async find(cookie) {
			try {
				const found = await lookUp(cookie);
				toIdentity(found, clock);
				return found;
			} catch (error) {
				if (error === endedSession) return undefined;
				throw error;
			}
		},
		async end({ token }) {
			if (!isToken(token)) return;
			await sessions.delete(hashToken(token));
			active.forget(token);
		},
	};
}

const endedSession = new Failure(
	"unauthenticated",
	"The session has ended; sign in again.",
	{ headers: { "WWW-Authenticate": challenge }, isShared: true },
);

function isSafe(method: string): boolean {
	return method === "GET" || method === "HEAD";
}

function toActive(session: Session, now: number): ActiveSession {
	const { hash, lastUsedAt, key } = session;
	const caller =
		key === undefined
			? { keyHash: hash, keyId: "console" }
			: { keyHash: key.hash, keyId: key.id };
	return {
		hash,
		lastUsedAt,
		identity: { ...caller, scope: "operator" },
		endsAt: toSessionEnd(session, now),
		key,
	};
}

/** Also checks a cached session, which may have ended since it was read. */
function toIdentity(
	{ identity, endsAt }: ActiveSession,
	clock: () => number,
): Identity {
	if (endsAt <= clock()) throw endedSession;
	return identity;
}
