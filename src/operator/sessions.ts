// Sign-in to the console and sign-out. These operations need no key.
import { challenge, type Identify } from "../auth/keys.ts";
import type { SessionAuthentication } from "../auth/sessions.ts";
import {
	readCookie,
	type SessionCookie,
	toCookie,
	toSetCookie,
} from "../auth/sessions.ts";
import {
	refuseOtherSites,
	requireSafeTransport,
	requireSameOrigin,
	type Site,
} from "../auth/site.ts";
import { generateToken, hashSecret, isToken } from "../domain/access/secret.ts";
import { Failure } from "../domain/errors.ts";
import { closedObject } from "../domain/types/object.ts";
import { formed } from "../domain/types/scalar.ts";
import { optional, type ValueOf, withRule } from "../domain/types/type.ts";
import { toRoutes } from "../http/operations.ts";
import { createRateLimiter, type RateLimiter } from "../http/rate-limit.ts";
import { unstoredHeaders } from "../http/reply.ts";
import { anonymous, type Call, ofLink, type Surface } from "../http/surface.ts";
import {
	Answer,
	type Operation,
	operationsOf,
	type Resource,
} from "../interface/operation.ts";
import { Session } from "../interface/replies.ts";
import type { Sessions } from "../store/access/sessions.ts";
import { inTime, operatorPrefix } from "./operation.ts";

interface SessionService {
	readonly sessions: Sessions;
	readonly identify: Identify;
	readonly site: Site;
	readonly authentication: SessionAuthentication;
	readonly limitWrong: RateLimiter;
}

const operation = operationsOf<SessionService, Call>();

const password = (description: string) =>
	formed(description, /^/, "must be a string", { format: "password" });

const Credential = withRule(
	closedObject("Credential", "Exactly one of the two.", {
		key: optional(password("An API key with the scope `operator`.")),
		link: optional(password("The token of a link: the part after `#link=`.")),
	}),
	({ key, link }) => (key === undefined) !== (link === undefined),
	"must have exactly one of key and link",
	{ minProperties: 1, maxProperties: 1 },
);

const signIn = operation({
	method: "POST",
	path: "/sessions",
	session: "begins",
	summary: "Sign in",
	description:
		"Needs an API key with the scope `operator`, or the token of a link from `petstore console`. A link is valid once, for 10 minutes. " +
		"The reply sets the cookie of the session: `__Host-petstore` over HTTPS and behind a proxy with HTTPS, `petstore` over plain HTTP on this machine. Over plain HTTP from elsewhere it is refused. " +
		"A session ends after 12 hours without a request, after 7 days, when someone signs out, and with the key that made it. " +
		"The request must come from a page of the service: it needs `Sec-Fetch-Site: same-origin`, or else an `Origin` equal to the `Host`. So does every request with the cookie that is not a GET. " +
		"After 10 wrong attempts in a minute, a process answers further wrong ones with `rate_limited`. A valid key or link always signs in.",
	body: Credential,
	errors: ["unauthenticated", "forbidden", "rate_limited"],
	example: { key: "pet_4fZ9b6bLr2QwEo7TnUaKc3XvHyM1sDgJ0Pqk3NcVm" },
	guard({ request }, { site }) {
		requireSafeTransport(request, site);
		requireSameOrigin(request, site);
	},
	async handle(credential, service, call) {
		const { request } = call;
		const { site, limitWrong } = service;
		const { token, keyId } = await inTime(
			makeSession(credential, readCookie(request, site), service),
		).catch((failure) => {
			if (isWrong(failure)) limitWrong("");
			throw failure;
		});
		const { isTls } = requireSafeTransport(request, site);
		const cookie = toSetCookie(toCookie(token, isTls));
		// For the log.
		call.identity = { ...anonymous, keyId };
		return new Answer(undefined, { "Set-Cookie": cookie });
	},
});

/** The caller's timeout is for all queries together. A session that is made too late is harmless: nobody has its token. */
async function makeSession(
	{ key, link = "" }: ValueOf<typeof Credential>,
	old: SessionCookie | undefined,
	{ sessions, identify, authentication }: SessionService,
) {
	const { keyHash, keyId, name } =
		key === undefined
			? await useLink(link, sessions)
			: await requireOperator(key, identify);
	// Prevents session fixation: an earlier session always ends.
	if (old !== undefined) await authentication.end(old);
	const { token, hash } = generateToken();
	await sessions.add({ hash, keyHash, name, createdAt: Date.now() });
	return { token, keyId };
}

async function useLink(link: string, sessions: Sessions) {
	const used =
		isToken(link) && (await sessions.useLink(hashSecret(link), Date.now()));
	if (used) return { keyHash: undefined, keyId: ofLink, name: used.name };
	throw new Failure(
		"unauthenticated",
		"The link is not valid: it was used before, is older than 10 minutes, or was made for another database. Make another with petstore console.",
		{ headers: challenge },
	);
}

/** Binds the session to a stored key. */
async function requireOperator(key: string, identify: Identify) {
	const caller = await identify(key, performance.now());
	if (caller instanceof Failure) throw caller;
	const { keyId, scope } = caller;
	if (scope !== "operator")
		throw new Failure(
			"forbidden",
			`This key does not open the console: its scope is ${scope}. Use a key with the scope operator, which "petstore keys create --scope operator --name NAME" makes, or a link of "petstore console".`,
		);
	const keyHash = typeof keyId === "number" ? hashSecret(key) : undefined;
	return { keyHash, keyId, name: undefined };
}

const readSession = operation({
	method: "GET",
	path: "/sessions/current",
	session: "reads",
	summary: "Ask who is signed in",
	description:
		"A page asks this when it opens, so the reply is a 200 with or without a session. This request does not extend the session: it still ends 12 hours after the last other request. " +
		"A request that the browser marks as one of another site, with `Sec-Fetch-Site: cross-site` or `same-site`, is refused.",
	reply: Session,
	errors: ["forbidden"],
	guard: ({ request }) => refuseOtherSites(request),
	async handle(_, { site, authentication }, { request }) {
		const cookie = readCookie(request, site);
		const session = cookie && (await authentication.find(cookie));
		const { key, name, endsAt: expiresAt } = session ?? {};
		return { signedIn: session !== undefined, key, name, expiresAt };
	},
});

const signOut = operation({
	method: "DELETE",
	path: "/sessions/current",
	session: "ends",
	summary: "Sign out",
	description:
		"Ends the session and clears its cookie. Without a session nothing is done.",
	errors: ["forbidden"],
	async handle(_, { site, authentication }, { request }) {
		const cookie = readCookie(request, site);
		if (cookie === undefined) return;
		requireSameOrigin(request, site);
		await authentication.end(cookie);
		const cleared = toSetCookie({ ...cookie, token: "" });
		return new Answer(undefined, { "Set-Cookie": cleared });
	},
});

export const sessions: Resource<Operation<SessionService, Call>> = {
	tag: "sessions",
	description: "Sign in to the console, and out of it.",
	operations: { signIn, readSession, signOut },
};

/** A surface of its own, since its operations need no key. */
export function createSessions(
	parts: Omit<SessionService, "limitWrong">,
): Surface {
	const below = "/sessions";
	const routes = toRoutes(operatorPrefix, unstoredHeaders, [sessions], {
		...parts,
		limitWrong: createRateLimiter(wrongSignIns),
	});
	return {
		prefix: operatorPrefix + below,
		authenticate: () => anonymous,
		headers: unstoredHeaders,
		routes: routes.map((route) => ({
			...route,
			path: route.path.slice(below.length),
		})),
	};
}

/** A valid key or link always signs in, so nobody can lock others out. */
const wrongSignIns = { requests: 10, unit: "m" } as const;

/** A store that does not answer proves no wrong key or link. */
function isWrong(failure: unknown): boolean {
	return (
		failure instanceof Failure &&
		(failure.code === "unauthenticated" || failure.code === "forbidden")
	);
}
