// Signing in to the console and out of it, in the operator interface. These operations need no key before.

import { storeUnavailable, toErrorBody } from "../errors.ts";
import { anyBody, error, refusal } from "../examples.ts";
import { httpStatus, type Operation } from "../operation.ts";
import { toLookupFailure } from "../retry.ts";
import { int64 } from "../schemas.ts";
import { forbidden, invalidBody } from "./any-operation.ts";
import type { Part } from "./part.ts";
import { refuseAttempt, refuseLink, refuseOrigin } from "./session-refusal.ts";

const common = { tag: "sessions", query: [], furtherErrors: [] } as const;

const operations = {
	signIn: {
		...common,
		method: "POST",
		path: "/sessions",
		session: "begins",
		summary: "Sign in",
		description:
			"With an API key that has the scope `operator`, or with the token of a link that `petstore console` has made, which is valid for 10 minutes and once. " +
			"The reply sets the cookie of the session: `__Host-petstore` over HTTPS and behind a proxy with HTTPS, `petstore` over plain HTTP on this machine. Over plain HTTP from elsewhere it is refused. " +
			"A session ends after 12 hours without a request, after 7 days, when someone signs out, and with the key that made it. " +
			"The request must come from a page of the service: it needs `Sec-Fetch-Site: same-origin`, or else an `Origin` that is the `Host`. So does every request with the cookie that is not a GET. " +
			"After 10 wrong attempts in a minute, a process answers further wrong ones with `rate_limited`. A valid key or link always signs in.",
		body: "Credential",
		success: {
			status: httpStatus.noContent,
			description: "Signed in.",
			headers: [],
		},
		errors: [
			...(["invalid_body", "unauthenticated", "forbidden"] as const),
			...(["request_timeout", "payload_too_large"] as const),
			...(["unsupported_media_type", "rate_limited"] as const),
			...(["internal", "unavailable"] as const),
		],
	},
	readSession: {
		...common,
		method: "GET",
		path: "/sessions/current",
		session: "reads",
		summary: "Ask who is signed in",
		description:
			"A page asks this when it opens, so it is a 200 with or without a session. Asking is no use of the session: it still ends 12 hours after the last other request. " +
			"A request that the browser marks as one of another site, with `Sec-Fetch-Site: cross-site` or `same-site`, is refused.",
		success: {
			status: httpStatus.ok,
			description: "Whether there is a session, and whose it is.",
			body: "Session",
			headers: [],
		},
		errors: ["forbidden", "internal", "unavailable"],
	},
	signOut: {
		...common,
		method: "DELETE",
		path: "/sessions/current",
		session: "ends",
		summary: "Sign out",
		description:
			"Ends the session and clears its cookie. Without a session nothing is done.",
		success: {
			status: httpStatus.noContent,
			description: "Signed out.",
			headers: [],
		},
		errors: ["forbidden", "internal", "unavailable"],
	},
} as const satisfies Readonly<Record<string, Operation>>;

export type SessionOperationId = keyof typeof operations;

const failures = {
	internal: { failure: error("internal", "The service failed.") },
	unavailable: { storeUnavailable: toErrorBody(storeUnavailable()) },
};

export const Credential = {
	type: "object",
	description: "Exactly one of the two.",
	minProperties: 1,
	maxProperties: 1,
	additionalProperties: false,
	properties: {
		key: {
			type: "string",
			format: "password",
			description: "An API key with the scope `operator`.",
		},
		link: {
			type: "string",
			format: "password",
			description: "The token of a link: what follows `#link=` in it.",
		},
	},
} as const;

const otherPage = toErrorBody(refuseOrigin());

export const sessions: Part<SessionOperationId> = {
	tags: { sessions: "Sign in to the console, and out of it." },
	operations,
	schemas: {
		Credential,
		Session: {
			type: "object",
			description: "Whether there is a session, and whose it is.",
			required: ["signedIn"],
			properties: {
				signedIn: {
					type: "boolean",
					description: "Whether the cookie of the request is of a session.",
				},
				key: {
					type: "object",
					description:
						"The key that made the session; absent if a link did, or a key that is not stored.",
					required: ["id", "name"],
					properties: {
						id: { ...int64, description: "The id of the key." },
						name: { type: "string", description: "The name of the key." },
					},
				},
				expiresAt: {
					type: "string",
					format: "date-time",
					description: "When the session ends if it is not used again.",
				},
			},
		},
	},
	examples: {
		signIn: {
			request: {
				byKey: { key: "pet_4fZ9b6bLr2QwEo7TnUaKc3XvHyM1sDgJ0Pqk3NcVm" },
				byLink: { link: "3q2-7wAAtCqZ5mX0e1rYc9sVbJhGfKdLoPiUyT6nR8M" },
			},
			success: {},
			errors: {
				...anyBody,
				...failures,
				...invalidBody({
					noCredential: "The body must have exactly one of key and link.",
				}),
				unauthenticated: {
					invalidKey: error("unauthenticated", "The API key is not valid."),
					invalidLink: toErrorBody(refuseLink()),
				},
				forbidden: {
					...forbidden,
					otherPage,
				},
				rate_limited: {
					tooManyAttempts: toErrorBody(refuseAttempt(10, 60)),
				},
			},
		},
		readSession: {
			success: {
				signedIn: {
					signedIn: true,
					key: { id: 1, name: "Ada" },
					expiresAt: "2026-11-16T20:00:00.000Z",
				},
				signedOut: { signedIn: false },
			},
			errors: {
				...failures,
				forbidden: {
					otherSite: error(
						"forbidden",
						"A page of another site may not ask who is signed in: Sec-Fetch-Site, if it is sent, must be same-origin or none.",
					),
				},
				unavailable: {
					sessionNotLookedUp: refusal(
						toLookupFailure(storeUnavailable(), "session"),
					),
				},
			},
		},
		signOut: {
			success: {},
			errors: { ...failures, forbidden: { otherPage } },
		},
	},
};
