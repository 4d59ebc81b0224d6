// Identifies the caller by the Authorization header or, without one, by the cookie of a session.
import { type Awaitable, after } from "../async/awaitable.ts";
import { Failure } from "../domain/errors.ts";
import { hashToken, isToken } from "../domain/token.ts";
import { type Identity, ofLink, type Surface } from "../http/surface.ts";
import {
	type Session,
	type Sessions,
	toSessionEnd,
} from "../store/sessions.ts";
import { challenge } from "./key-auth.ts";
import { createLookupCache } from "./lookup-cache.ts";
import { readCookie, type SessionCookie } from "./session-cookie.ts";
import { requireSameOrigin, type Site } from "./site.ts";
import { createUseRecord } from "./use-record.ts";

export type SessionAuthentication = ReturnType<
	typeof createSessionAuthentication
>;

export function createSessionAuthentication(options: {
	sessions: Sessions;
	site: Site;
	authenticateByKey: Surface["authenticate"];
	/** Called when the last use of a session could not be recorded. The request is still answered. */
	onUnrecordedUse: (error: unknown) => void;
	/** In milliseconds since 1970. */
	clock?: () => number;
}) {
	const { sessions, site, authenticateByKey, clock = Date.now } = options;
	const active = createLookupCache("session", findActive);
	const recordUse = createUseRecord(
		sessions.recordUse,
		options.onUnrecordedUse,
	);

	async function findActive(token: string): Promise<ActiveSession> {
		const session = await sessions.find(hashToken(token));
		if (session === undefined) throw endedSession;
		const endsAt = toSessionEnd(session, clock());
		return { ...session, identity: toIdentity(session), endsAt };
	}

	function lookUp({ token }: SessionCookie): Awaitable<ActiveSession> {
		if (!isToken(token)) throw endedSession;
		const found = active.get(token, performance.now()) ?? active.read(token);
		return after(found, requireActive, clock);
	}

	function use({ hash, lastUsedAt, identity }: ActiveSession): Identity {
		recordUse({ id: hash, lastUsedAt }, clock());
		return identity;
	}

	return {
		/** For surfaces that accept keys and sessions. */
		authenticate(
			request: Request,
			arrivedAt: number,
		): Awaitable<Identity | Failure> {
			const cookie = request.headers.has("authorization")
				? undefined
				: readCookie(request, site);
			if (cookie === undefined) return authenticateByKey(request, arrivedAt);
			if (!["GET", "HEAD"].includes(request.method))
				requireSameOrigin(request, site);
			return after(lookUp(cookie), use, undefined);
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
			await sessions.delete(hashToken(token));
			active.forget(token);
		},
	};
}

interface ActiveSession extends Session {
	readonly identity: Identity;
	readonly endsAt: number;
}

const endedSession = new Failure(
	"unauthenticated",
	"The session has ended; sign in again.",
	{ headers: challenge, isShared: true },
);

function toIdentity({ hash, key, name }: Session): Identity {
	const scope = "operator";
	return key === undefined
		? { keyHash: hash, keyId: ofLink, name, scope }
		: { keyHash: key.hash, keyId: key.id, name: key.name, scope };
}

/** A cached session may have ended since it was read. */
function requireActive(
	session: ActiveSession,
	clock: () => number,
): ActiveSession {
	if (session.endsAt <= clock()) throw endedSession;
	return session;
}
