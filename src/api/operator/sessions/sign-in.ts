// Signs someone in: checks a key or a link, and makes a session.
import { withTimeout } from "../../../async/waiting.ts";
import { challenge, type Identify } from "../../../auth/key-auth.ts";
import type { SessionAuthentication } from "../../../auth/session-auth.ts";
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
import { httpStatus } from "../../../contract/operation.ts";
import { Credential, refuseLink } from "../../../contract/operator/sessions.ts";
import { hashKey } from "../../../domain/api-key.ts";
import { Failure, storeUnavailable } from "../../../domain/errors.ts";
import { generateToken, hashToken, isToken } from "../../../domain/token.ts";
import { readMembers } from "../../../http/body.ts";
import type { Identity, Route } from "../../../http/surface.ts";
import { requireScope } from "../../../http/surface.ts";
import { operatorAnswerMs } from "../../../limits.ts";
import type { Sessions } from "../../../store/sessions.ts";
import { notStored } from "../headers.ts";
import type { CountFailure } from "./attempts.ts";

export interface SignInOptions {
	readonly sessions: Sessions;
	readonly identify: Identify;
	readonly site: Site;
	readonly authentication: SessionAuthentication;
	readonly countFailure: CountFailure;
}

export function signIn(options: SignInOptions): Route["handle"] {
	const { site, countFailure } = options;
	return async ({ request, headers }) => {
		const { isTls } = requireSafeTransport(request, site);
		requireSameOrigin(request, site);
		const credential = await readCredential(request);
		const { token, keyId } = await withTimeout(
			operatorAnswerMs,
			makeSession(credential, readCookie(request, site), options),
			() => storeUnavailable(),
		).catch((failure) => {
			throw countFailure(failure);
		});
		const cookie = toSetCookie(toCookie(token, isTls));
		return {
			status: httpStatus.noContent,
			headers,
			own: { ...notStored, "Set-Cookie": cookie },
			logged: { keyId },
		};
	};
}

type Given = { readonly key: string } | { readonly link: string };

async function readCredential(request: Request): Promise<Given> {
	const { has, get, invalid } = await readMembers(request, Credential);
	if (has("key") === has("link"))
		throw invalid(undefined, "must have exactly one of key and link");
	const name = has("key") ? "key" : "link";
	const text = get(name);
	if (typeof text !== "string") throw invalid(name, "must be a string");
	return name === "key" ? { key: text } : { link: text };
}

/**
 * Each query has its timeout; all of them together must not take longer than one. A session that is made too late is never used, since
 * nobody has its token.
 */
async function makeSession(
	credential: Given,
	old: SessionCookie | undefined,
	options: SignInOptions,
): Promise<{ token: string; keyId: Signer["keyId"] }> {
	const { secretHash, keyId } = await requireValid(credential, options);
	// A session that was there before is not continued, whoever has made it.
	if (old !== undefined) await options.authentication.end(old);
	const { token, hash } = generateToken();
	await options.sessions.add({ hash, secretHash, createdAt: Date.now() });
	return { token, keyId };
}

interface Signer {
	/** Of the secret to which the session is bound, if that is stored. */
	readonly secretHash: string | undefined;
	/** For the log. */
	readonly keyId: Identity["keyId"];
}

async function requireValid(
	credential: Given,
	{ sessions, identify }: SignInOptions,
): Promise<Signer> {
	if ("key" in credential) return requireOperator(credential.key, identify);
	const { link } = credential;
	if (isToken(link) && (await sessions.useLink(hashToken(link), Date.now())))
		return { secretHash: undefined, keyId: "console" };
	throw refuseLink({ "WWW-Authenticate": challenge });
}

async function requireOperator(
	key: string,
	identify: Identify,
): Promise<Signer> {
	const caller = await identify(key, performance.now());
	if (caller instanceof Failure) throw caller;
	const { keyId, scope } = caller;
	requireScope(scope, "operator");
	return {
		secretHash: typeof keyId === "number" ? hashKey(key) : undefined,
		keyId,
	};
}
