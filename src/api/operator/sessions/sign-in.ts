// Signs someone in: checks a key or a link, makes a session, and counts wrong attempts.
import { withTimeout } from "../../../async/waiting.ts";
import type { Identify } from "../../../auth/key-auth.ts";
import {
	ofLink,
	type SessionAuthentication,
} from "../../../auth/session-auth.ts";
import {
	readCookie,
	type SessionCookie,
	toCookie,
	toSetCookie,
} from "../../../auth/session-cookie.ts";
import {
	requireSafeTransport,
	requireSameOrigin,
	type Site,
} from "../../../auth/site.ts";
import {
	Credential,
	refuseAttempt,
	refuseLink,
} from "../../../contract/operator/sessions.ts";
import { hashKey } from "../../../domain/api-key.ts";
import { Failure, storeUnavailable } from "../../../domain/errors.ts";
import { generateToken, hashToken, isToken } from "../../../domain/token.ts";
import { readMembers } from "../../../http/body.ts";
import { notStored } from "../../../http/reply.ts";
import { type Route, requireScope } from "../../../http/surface.ts";
import { operatorAnswerMs } from "../../../limits.ts";
import type { Sessions } from "../../../store/sessions.ts";

export interface SignInOptions {
	readonly sessions: Sessions;
	readonly identify: Identify;
	readonly site: Site;
	readonly authentication: SessionAuthentication;
}

export function signIn(options: SignInOptions): Route["handle"] {
	const { site } = options;
	const countFailure = createAttempts();
	return async ({ request }) => {
		const { isTls } = requireSafeTransport(request, site);
		requireSameOrigin(request, site);
		const credential = await readCredential(request);
		const old = readCookie(request, site);
		const { token, keyId } = await withTimeout(
			operatorAnswerMs,
			makeSession(credential, old, options),
			storeUnavailable,
		).catch((failure) => {
			throw countFailure(failure);
		});
		const cookie = toSetCookie(toCookie(token, isTls));
		const own = { ...notStored, "Set-Cookie": cookie };
		return { own, logged: { keyId } };
	};
}

type Given = Awaited<ReturnType<typeof readCredential>>;

async function readCredential(request: Request) {
	const { has, get, invalid } = await readMembers(request, Credential);
	if (has("key") === has("link"))
		throw invalid(undefined, "must have exactly one of key and link");
	const kind = has("key") ? "key" : "link";
	const text = get(kind);
	if (typeof text !== "string") throw invalid(kind, "must be a string");
	return { kind, text } as const;
}

/** The caller's timeout is for all queries together. A session that is made too late is harmless: nobody has its token. */
async function makeSession(
	{ kind, text }: Given,
	old: SessionCookie | undefined,
	{ sessions, identify, authentication }: SignInOptions,
) {
	const { keyHash, keyId, name } =
		kind === "key"
			? await requireOperator(text, identify)
			: await useLink(text, sessions);
	// Prevents session fixation: an earlier session always ends.
	if (old !== undefined) await authentication.end(old);
	const { token, hash } = generateToken();
	await sessions.add({ hash, keyHash, name, createdAt: Date.now() });
	return { token, keyId };
}

async function useLink(link: string, sessions: Sessions) {
	const used =
		isToken(link) && (await sessions.useLink(hashToken(link), Date.now()));
	if (used) return { keyHash: undefined, keyId: ofLink, name: used.name };
	throw refuseLink();
}

/** Binds the session to a stored key. */
async function requireOperator(key: string, identify: Identify) {
	const caller = await identify(key, performance.now());
	if (caller instanceof Failure) throw caller;
	const { keyId, scope } = caller;
	requireScope(scope, "operator");
	const keyHash = typeof keyId === "number" ? hashKey(key) : undefined;
	return { keyHash, keyId, name: undefined };
}

const maxWrongSignIns = 10;
const signInIntervalMs = 60_000;

/**
 * Takes the failure of a sign-in and returns the error to answer: `rate_limited` after too many wrong attempts in a minute. Counts in this
 * process only. A valid key or link always signs in, so nobody can lock others out.
 */
export function createAttempts(
	/** Monotonic, in milliseconds. */
	clock: () => number = () => performance.now(),
): (failure: unknown) => unknown {
	/** Times of the last wrong attempts, oldest first. */
	const attempts: number[] = [];
	return (failure) => {
		if (!isWrong(failure)) return failure;
		const now = clock();
		const [oldest = 0] = attempts;
		const waitMs = oldest + signInIntervalMs - now;
		if (attempts.length >= maxWrongSignIns) {
			if (waitMs > 0)
				return refuseAttempt(maxWrongSignIns, Math.ceil(waitMs / 1_000));
			attempts.shift();
		}
		attempts.push(now);
		return failure;
	};
}

/** A store that does not answer proves no wrong key or link. */
function isWrong(failure: unknown): boolean {
	return (
		failure instanceof Failure &&
		(failure.code === "unauthenticated" || failure.code === "forbidden")
	);
}
