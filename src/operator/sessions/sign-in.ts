// Signs someone in: checks a key or a link, and makes a session.
import { hashKey, includesScope } from "../../contract/api-key.ts";
import { Failure } from "../../contract/errors.ts";
import { httpStatus } from "../../contract/operation.ts";
import { generateToken, hashToken } from "../../contract/token.ts";
import { challenge, type Identify } from "../../http/auth.ts";
import type { SessionAuthentication } from "../../http/session-auth.ts";
import {
	readCookie,
	toCookie,
	toSetCookie,
} from "../../http/session-cookie.ts";
import {
	requireSafeTransport,
	requireSameOrigin,
	type Site,
} from "../../http/site.ts";
import type { Route } from "../../http/surface.ts";
import type { Sessions } from "../../store/sessions.ts";
import { notStored } from "../headers.ts";
import { readMembers } from "../members.ts";
import type { CountAttempt } from "./attempts.ts";

export interface SignInOptions {
	readonly sessions: Sessions;
	readonly identify: Identify;
	readonly site: Site;
	readonly authentication: SessionAuthentication;
	readonly countAttempt: CountAttempt;
}

export function signIn(options: SignInOptions): Route["handle"] {
	const { sessions, site, authentication, countAttempt } = options;
	return async ({ request, headers }) => {
		const { isTls } = requireSafeTransport(request, site);
		requireSameOrigin(request, site);
		const credential = await readCredential(request);
		countAttempt();
		const secret = await requireValid(credential, options);
		// A session that was there before is not continued, whoever has made it.
		const old = readCookie(request, site);
		if (old !== undefined) await authentication.end(old);
		const { token, hash } = generateToken();
		await sessions.add({ hash, secret, createdAt: Date.now() });
		const cookie = toSetCookie(toCookie(token, isTls));
		return {
			status: httpStatus.noContent,
			headers,
			own: { ...notStored, "Set-Cookie": cookie },
		};
	};
}

type Credential = { readonly key: string } | { readonly link: string };

async function readCredential(request: Request): Promise<Credential> {
	const { has, get, invalid } = await readMembers(request, "key", "link");
	if (has("key") === has("link"))
		throw invalid(undefined, "must have exactly one of key and link");
	const name = has("key") ? "key" : "link";
	const text = get(name);
	if (typeof text !== "string") throw invalid(name, "must be a string");
	return name === "key" ? { key: text } : { link: text };
}

/** Returns the hash of the secret to which the session is bound, if that is stored. */
async function requireValid(
	credential: Credential,
	{ sessions, identify }: SignInOptions,
): Promise<string | undefined> {
	if ("key" in credential) return requireOperator(credential.key, identify);
	const hash = hashToken(credential.link);
	if (await sessions.useLink(hash, Date.now())) return undefined;
	throw new Failure(
		"unauthenticated",
		"The link is not valid: it was used before, is older than 10 minutes, or was made for another database. Make another with petstore console.",
		{ headers: { "WWW-Authenticate": challenge } },
	);
}

async function requireOperator(
	key: string,
	identify: Identify,
): Promise<string | undefined> {
	const { keyId, scope } = await identify(key);
	if (!includesScope(scope, "operator"))
		throw new Failure(
			"forbidden",
			`The API key needs the scope operator; its scope is ${scope}.`,
		);
	return typeof keyId === "number" ? hashKey(key) : undefined;
}
